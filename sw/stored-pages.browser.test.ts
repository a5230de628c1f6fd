import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createSiteDocuments } from './site-documents.ts'
import { createStoredPages } from './stored-pages.ts'

const createDocument = (text: string, asset = '/assets/own.js') =>
  `<!doctype html><html><script id="site"></script><script src="${asset}"></script><p>${text}</p></html>`
const toUrl = (path: string) => new URL(path, location.origin)
const createUrl = (path: string) => toUrl(path).href
let respondTo: (url: string) => Response
let ageMs = 0
const fetchedUrls: string[] = []

beforeEach(async () => {
  fetchedUrls.length = 0
  ageMs = 0
  respondTo = (url) => new Response(createDocument(url), { headers: { date: new Date(Date.now() - ageMs).toUTCString() } })
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (url) => {
    fetchedUrls.push(String(url))
    return respondTo(String(url))
  })
  for (const name of await caches.keys()) await caches.delete(name)
})
afterEach(() => vi.restoreAllMocks())

const createTestPages = (cacheName = 'build-1') =>
  createStoredPages({ cacheName, documents: createSiteDocuments({ isOwnAsset: (path) => path === '/assets/own.js' }) })
const readText = async (response: Promise<Response | undefined>) => (await response)?.text()

it('stored pages: the document of a visited page is found by its address, but only by the build that stored it', async () => {
  const pages = createTestPages()
  await pages.store(toUrl('/playlist?p=a'))
  expect(await readText(pages.match(toUrl('/playlist?p=a')))).toContain('/playlist?p=a')
  expect(await pages.match(toUrl('/playlist?p=b'))).toBeUndefined()
  expect(await createTestPages('build-2').match(toUrl('/playlist?p=a'))).toBeUndefined()
  await createTestPages('build-2').deleteOtherBuilds()
  expect(await pages.match(toUrl('/playlist?p=a'))).toBeUndefined()
})

it('stored pages: the document of a shared playlist is not stored, because its owner can revoke it', async () => {
  const pages = createTestPages()
  for (const path of ['/list?l=token', '/list/?l=token']) {
    await pages.store(toUrl(path))
    expect([fetchedUrls, await pages.match(toUrl(path))]).toEqual([[], undefined])
  }
})

it('stored pages: a document is fetched again after ten minutes, or if the clock was set back', async () => {
  const pages = createTestPages()
  for (const documentAgeMs of [0, 599_000, 601_000, -5_000]) {
    ageMs = documentAgeMs
    await caches.delete('pages-build-1')
    await pages.store(toUrl('/'))
    await pages.store(toUrl('/'))
  }
  expect(fetchedUrls).toHaveLength(1 + 1 + 2 + 2)
})

it.each([
  ['a failed request', () => Response.error()],
  ['an error page', () => new Response(createDocument('error'), { status: 503 })],
  ['the login page of a network', () => new Response('<!doctype html><title>Log in</title></html>')],
  ['a document of another build', () => new Response(createDocument('other', '/assets/other.js'))],
])('stored pages: %s does not replace the stored document', async (_, response) => {
  ageMs = 700_000
  const pages = createTestPages()
  await pages.store(toUrl('/'))
  respondTo = response
  await pages.store(toUrl('/'))
  expect(fetchedUrls).toHaveLength(2)
  expect(await readText(pages.match(toUrl('/')))).toContain(createUrl('/'))
})

it('stored pages: a document that is too long is neither stored nor fetched again within ten minutes', async () => {
  const pages = createTestPages()
  respondTo = () => new Response(createDocument('x'.repeat(1_000_001)), { headers: { date: new Date().toUTCString() } })
  await pages.store(toUrl('/'))
  await pages.store(toUrl('/'))
  expect(fetchedUrls).toHaveLength(1)
  expect(await pages.match(toUrl('/'))).toBeUndefined()
})

it('stored pages: a document is found under its page’s address, whatever other parameters the URL has', async () => {
  const pages = createTestPages()
  await pages.store(toUrl('/playlist?utm_source=x&p=a%20b'))
  expect(fetchedUrls).toEqual([createUrl('/playlist?p=a+b')])
  expect(await pages.match(toUrl('/playlist/?p=a+b&fbclid=y'))).toBeDefined()
  await pages.store(toUrl('/reset-password?oobCode=secret'))
  expect(fetchedUrls[1]).toBe(createUrl('/reset-password'))
})

it('stored pages: the document of a page that the server no longer has is deleted', async () => {
  ageMs = 700_000
  const pages = createTestPages()
  await pages.store(toUrl('/playlist?p=a'))
  respondTo = () => new Response(createDocument('gone'), { status: 404 })
  await pages.store(toUrl('/playlist?p=a'))
  expect(await pages.match(toUrl('/playlist?p=a'))).toBeUndefined()
})

it('stored pages: a truncated document is not used', async () => {
  const cache = await caches.open('pages-build-1')
  await cache.put(createUrl('/'), new Response(createDocument('whole').slice(0, -3)))
  expect(await createTestPages().match(toUrl('/'))).toBeUndefined()
})

it('stored pages: of more than 40 pages, those of songs, lists and searches that were stored first are deleted; all pages are deleted when the shell changes', async () => {
  const pages = createTestPages()
  const pagePaths = Array.from({ length: 42 }, (_, index) => `/playlist?p=${index}`)
  await pages.store(toUrl('/'))
  for (const path of pagePaths) await pages.store(toUrl(path))
  expect(await pages.match(toUrl('/'))).toBeDefined()
  expect(await pages.match(toUrl(pagePaths[2] ?? ''))).toBeUndefined()
  expect(await pages.match(toUrl(pagePaths[3] ?? ''))).toBeDefined()
  await pages.deleteAll()
  expect(await pages.match(toUrl(pagePaths[41] ?? ''))).toBeUndefined()
})
