import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { cacheNames } from 'workbox-core/cacheNames.js'
import { packFiles } from '../contract/program-pack.ts'
import { createProgramFiles } from './precache.ts'

const FILE_COUNT = 100
const assetPaths = Array.from({ length: FILE_COUNT }, (_, index) => `assets/part-${index}.${index % 2 ? 'js' : 'css'}`)
const assetUrls = assetPaths.map((path) => new URL(path, location.origin).href)
const packUrl = new URL('/program-1.pack', location.origin).href
const readBytes = (text: string) => new TextEncoder().encode(text)
const policyText = "default-src 'none'"

let fetchedUrls: string[] = []
let parallelFetchCount = 0
let maxParallelFetchCount = 0
let createPackResponse: () => Response
let createFileResponse: (url: string) => Response

beforeEach(async () => {
  fetchedUrls = []
  maxParallelFetchCount = 0
  createPackResponse = () =>
    new Response(packFiles(assetPaths.map((path) => ({ path, bytes: readBytes(`pack ${path}`) }))), {
      headers: { 'content-type': 'application/octet-stream', 'content-encoding': 'br', 'content-security-policy': policyText },
    })
  createFileResponse = (url) => new Response(`file ${url}`, { headers: { 'content-type': 'text/javascript' } })
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (requestUrl) => {
    const url = String(requestUrl)
    fetchedUrls.push(url)
    maxParallelFetchCount = Math.max(maxParallelFetchCount, ++parallelFetchCount)
    await new Promise((resolve) => setTimeout(resolve))
    parallelFetchCount--
    return url === packUrl ? createPackResponse() : createFileResponse(url)
  })
  await caches.delete(cacheNames.precache)
})
afterEach(() => vi.restoreAllMocks())

const listCachedFiles = async () => {
  const cache = await caches.open(cacheNames.precache)
  return Promise.all(assetUrls.map((url) => cache.match(url)))
}

it('precache: a first installation fetches one pack with all files, and caches each file with its content type and the Content-Security-Policy of the pack', async () => {
  const programFiles = createProgramFiles({ urls: assetUrls, packUrl })
  await Promise.all([programFiles.fetchMissingFiles(), programFiles.fetchMissingFiles()])
  expect(fetchedUrls).toEqual([packUrl])
  const [styleSheet, scriptResponse] = await listCachedFiles()
  expect(await scriptResponse?.text()).toBe('pack assets/part-1.js')
  expect(Object.fromEntries(scriptResponse?.headers ?? [])).toEqual({
    'content-type': 'text/javascript',
    'content-security-policy': policyText,
  })
  expect(styleSheet?.headers.get('content-type')).toBe('text/css')
  await programFiles.fetchMissingFiles()
  expect(fetchedUrls).toHaveLength(1)
})

it.each([
  ['missing', () => new Response('', { status: 404 })],
  ['the login page of a network', () => new Response('<!doctype html>', { headers: { 'content-type': 'text/html' } })],
  ['truncated', () => new Response(packFiles([{ path: assetPaths[0] ?? '', bytes: readBytes('whole') }]).slice(0, -1))],
  ['of another build', () => new Response(packFiles([{ path: 'assets/other.js', bytes: readBytes('other') }]))],
])('precache: if the pack is %s, the files are fetched one by one, six at a time', async (_, response) => {
  createPackResponse = response
  await createProgramFiles({ urls: assetUrls, packUrl }).fetchMissingFiles()
  expect(await Promise.all((await listCachedFiles()).map((file) => file?.text()))).toEqual(assetUrls.map((url) => `file ${url}`))
  expect(maxParallelFetchCount).toBe(6)
})

it('precache: an update of a few files fetches only these files', async () => {
  const precacheCache = await caches.open(cacheNames.precache)
  await Promise.all(assetUrls.slice(3).map((url) => precacheCache.put(url, new Response('earlier'))))
  await createProgramFiles({ urls: assetUrls, packUrl }).fetchMissingFiles()
  expect(fetchedUrls.sort()).toEqual(assetUrls.slice(0, 3).sort())
})

it('precache: if a file cannot be fetched, the installation fails', async () => {
  createPackResponse = () => new Response('', { status: 404 })
  createFileResponse = (url) => (url === assetUrls[50] ? new Response('', { status: 503 }) : new Response('file'))
  await expect(createProgramFiles({ urls: assetUrls, packUrl }).fetchMissingFiles()).rejects.toThrow('status 503')
})
