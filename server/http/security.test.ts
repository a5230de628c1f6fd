import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pagePaths } from '../../contract/pages.ts'
import { createTestApp, type TestApp } from '../test-app.ts'

let site: TestApp
beforeAll(async () => {
  site = await createTestApp()
})
afterAll(() => site.close())

const headersOf = async (url: string) => (await site.app.inject(url)).headers
const directivesOf = async (url: string) => String((await headersOf(url))['content-security-policy']).split('; ')

describe('content security policy', () => {
  it('a page runs scripts from its own origin, and from the video platform only those with certain paths', async () => {
    const policy = await directivesOf('/')
    const scriptSources = policy.find((each) => each.startsWith('script-src '))?.split(' ') ?? []
    expect(scriptSources.filter((source) => source.startsWith('https:'))).toEqual([
      'https://www.youtube.com/iframe_api',
      'https://www.youtube.com/s/player/',
    ])
    expect(policy).toContain("connect-src 'self' https://discord.com/widget")
    expect(policy).toEqual(expect.arrayContaining(["default-src 'none'", "worker-src 'self'", "base-uri 'none'"]))
  })

  it('only sounds and videos may have addresses of kind `blob:`', async () => {
    const policy = await directivesOf('/')
    expect(policy.filter((each) => each.includes('blob:'))).toEqual(["media-src 'self' data: blob:"])
  })

  it('pages and workers do not accept strings as scripts, and only a page has policies that create trusted values', async () => {
    const pagePolicy = await directivesOf('/')
    const workerPolicy = await directivesOf('/assets/main-abc123.js')
    for (const policy of [pagePolicy, workerPolicy]) expect(policy).toContain("require-trusted-types-for 'script'")
    expect(pagePolicy).toContain('trusted-types varispeed youtube-widget-api')
    expect(workerPolicy).toEqual(
      expect.arrayContaining(["trusted-types 'none'", "script-src 'self' 'wasm-unsafe-eval'", "connect-src 'self'"]),
    )
  })

  it('responses other than pages and scripts may load nothing, and no page or other response may be framed', async () => {
    for (const url of [
      '/api/site',
      '/assets/kernel-abc123.wasm',
      '/robots.txt',
      '/icon.svg',
      '/img/og/site.jpg',
      '/go/favorites',
      '/healthz',
    ])
      expect([url, await directivesOf(url)]).toEqual([url, ["default-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"]])
    for (const url of [...pagePaths, '/no-such-page', '/assets/main-abc123.js', '/api/docs/static/index.html', '/img/playlist/empty/640'])
      expect([url, await directivesOf(url)]).toEqual([url, expect.arrayContaining(["frame-ancestors 'none'"])])
  })
})

describe('cross-origin policies', () => {
  it('pages have no opener of another origin', async () => {
    for (const url of ['/', '/shell', '/no-such-page']) expect((await headersOf(url))['cross-origin-opener-policy']).toBe('same-origin')
  })

  it('other origins may embed only the pictures', async () => {
    for (const url of ['/', '/api/site', '/assets/main-abc123.js', '/manifest.webmanifest', '/latest.atom'])
      expect([url, (await headersOf(url))['cross-origin-resource-policy']]).toEqual([url, 'same-origin'])
    for (const url of ['/img/og/site.jpg', '/img/playlist/empty/640'])
      expect([url, (await headersOf(url))['cross-origin-resource-policy']]).toEqual([url, 'cross-origin'])
  })
})
