import { afterEach, expect, it, vi } from 'vitest'
import { SHELL_URL } from '../../contract/paths.ts'
import { computeCspHash } from '../http/security.ts'
import { createTestApp, type TestApp } from '../test-app.ts'

let site: TestApp | undefined
afterEach(() => site?.close())

async function createCountingSite() {
  const renderedPaths: string[] = []
  let nowMs = Date.parse('2026-03-01T12:00:00Z')
  let finishRendering = () => {}
  const renderingFinished = new Promise<void>((resolve) => {
    finishRendering = resolve
  })
  site = await createTestApp(
    {},
    {
      nowMs: () => nowMs,
      prerender: {
        async renderPage(_site, pagePath) {
          renderedPaths.push(pagePath)
          await renderingFinished
          return `<h1>rendered ${renderedPaths.length}</h1>`
        },
        renderShell: () => '<h1>shell</h1>',
      },
    },
  )
  const requestPage = (url: string, options: { method?: 'GET' | 'HEAD'; headers?: Record<string, string> } = {}) =>
    site?.app.inject({ method: 'GET', ...options, url, headers: { host: 'localhost:8080', ...options.headers } })
  const advanceClock = (ms: number) => {
    nowMs += ms
  }
  return { rendered: renderedPaths, finishRendering, get: requestPage, advance: advanceClock }
}

it('page rendering: simultaneous requests share one rendering, and unknown query parameters are ignored', async () => {
  const { rendered: renderedPaths, finishRendering, get } = await createCountingSite()
  const pageResponses = Promise.all([get('/playlists?x=1'), get('/playlists?utm_source=y'), get('/playlists/')])
  finishRendering()
  for (const response of await pageResponses) expect(response?.body).toContain('<h1>rendered 1</h1>')
  expect((await get('/playlists?x=2', { headers: { authorization: 'Bearer x' } }))?.statusCode).toBe(200)
  expect((await get('/playlists', { method: 'HEAD' }))?.statusCode).toBe(200)
  await get('/nothing-here')
  expect((await get('/nor-here?s=1'))?.statusCode).toBe(404)
  expect((await get('/song?s=CCCCCCCCCC1'))?.statusCode).toBe(404)
  expect(renderedPaths).toEqual(['/playlists', '/no-such-page'])
})

it('page rendering: a radio page is rendered once for each song, however many listeners request it', async () => {
  const { rendered: renderedPaths, finishRendering, get, advance } = await createCountingSite()
  finishRendering()
  const headers = { host: 'fm.localhost:8080' }
  const firstAnswers = await Promise.all(['/', '/a', '/b?c=d'].map((path) => get(path, { headers })))
  expect(new Set(firstAnswers.map((response) => response?.headers.etag)).size).toBe(1)
  expect(renderedPaths).toEqual(['/'])
  advance(86_400_000)
  await get('/', { headers })
  await get('/x', { headers })
  expect(renderedPaths).toEqual(['/', '/'])
})

it('page rendering: if too many pages wait, further ones are answered with 503 and Retry-After; a page in memory is answered at once', async () => {
  const { finishRendering, get } = await createCountingSite()
  // The shell needs no rows, and its rendering does not wait.
  const shellEtag = (await get(SHELL_URL))?.headers.etag ?? ''
  const headers = { accept: 'text/html' }
  const refusedResponses: Awaited<ReturnType<typeof get>>[] = []
  const pageResponses = Array.from({ length: 230 }, async (_, requestNumber) => {
    const response = await get(`/search?q=word${requestNumber}`, { headers })
    if (response?.statusCode === 503) refusedResponses.push(response)
    return response
  })
  await vi.waitUntil(() => refusedResponses.length > 0)
  expect(refusedResponses[0]?.headers).toMatchObject({ 'retry-after': '5', 'content-type': 'text/html; charset=utf-8' })
  expect((await get(SHELL_URL))?.body).toContain('<h1>shell')
  expect((await get(SHELL_URL, { method: 'HEAD' }))?.statusCode).toBe(200)
  expect((await get(SHELL_URL, { headers: { 'if-none-match': shellEtag } }))?.statusCode).toBe(304)
  // The pages that wait while the server stops are sent with their headings, because rendering them could take too long.
  const closePromise = site?.close()
  site = undefined
  finishRendering()
  const servedPages = (await Promise.all(pageResponses)).filter((response) => response?.statusCode === 200)
  expect(servedPages).toHaveLength(230 - refusedResponses.length)
  expect(servedPages.at(-1)?.body).toContain('<h1>Results for')
  await closePromise
})

it('page rendering: a page whose rendering fails is answered with its heading, and is rendered for the next request', async () => {
  let failureCount = 0
  site = await createTestApp(
    {},
    {
      prerender: {
        renderPage: async () => {
          if (failureCount++ === 0) throw new Error('broken component')
          return '<h1>rendered</h1>'
        },
        renderShell: () => '',
      },
    },
  )
  const requestSearchPage = () => site?.app.inject({ url: '/search?q=word', headers: { host: 'localhost:8080' } })
  const response = await requestSearchPage()
  expect(response?.statusCode).toBe(200)
  expect(response?.body).toContain('<h1>Results for')
  expect(site.readLog()).toContain('broken component')
  expect((await requestSearchPage())?.body).toContain('<h1>rendered</h1>')
})

it('page rendering: the dashboard alone has the template of the account snapshot, and its policy allows the script that shows it', async () => {
  const { finishRendering, get } = await createCountingSite()
  finishRendering()
  for (const [pagePath, expectedCount] of [
    ['/account', 1],
    ['/account/change-password', 0],
    ['/playlists', 0],
  ] as const) {
    const response = await get(pagePath)
    const [, ...scriptTexts] = response?.body.split('<template id="account-snapshot"></template><script>') ?? []
    expect([pagePath, scriptTexts.length]).toEqual([pagePath, expectedCount])
    for (const rest of scriptTexts)
      expect(response?.headers['content-security-policy']).toContain(computeCspHash(rest.slice(0, rest.indexOf('</script>'))))
  }
})

it('page rendering: a page whose rows cannot be read is answered with 500', async () => {
  site = await createTestApp(
    {},
    {
      wrapStorage: (storage) => ({
        ...storage,
        playlists: { ...storage.playlists, list: () => Promise.reject(new Error('The disk is gone.')) },
      }),
    },
  )
  expect((await site.app.inject({ url: '/', headers: { host: 'localhost:8080' } })).statusCode).toBe(500)
})
