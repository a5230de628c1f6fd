import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pagePaths } from '../../contract/pages.ts'
import { createTestApp, type TestApp } from '../test-app.ts'

let site: TestApp
beforeAll(async () => {
  site = await createTestApp()
})
afterAll(() => site.close())

const readHeaders = async (url: string) => (await site.app.inject(url)).headers
const readPolicyDirectives = async (url: string) => String((await readHeaders(url))['content-security-policy']).split('; ')

describe('content security policy', () => {
  it('a page runs scripts from its own origin, and from the video platform only those with certain paths', async () => {
    const policyDirectives = await readPolicyDirectives('/')
    const scriptSources = policyDirectives.find((each) => each.startsWith('script-src '))?.split(' ') ?? []
    expect(scriptSources.filter((source) => source.startsWith('https:'))).toEqual([
      'https://www.youtube.com/iframe_api',
      'https://www.youtube.com/s/player/',
    ])
    expect(policyDirectives).toContain("connect-src 'self' https://discord.com/widget")
    expect(policyDirectives).toEqual(expect.arrayContaining(["default-src 'none'", "worker-src 'self'", "base-uri 'none'"]))
  })

  it('only sounds and videos may have addresses of kind `blob:`', async () => {
    const policy = await readPolicyDirectives('/')
    expect(policy.filter((each) => each.includes('blob:'))).toEqual(["media-src 'self' data: blob:"])
  })

  it('pages and workers do not accept strings as scripts, and only a page has policies that create trusted values', async () => {
    const pagePolicy = await readPolicyDirectives('/')
    const workerPolicy = await readPolicyDirectives('/assets/main-abc123.js')
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
      expect([url, await readPolicyDirectives(url)]).toEqual([url, ["default-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"]])
    for (const url of [...pagePaths, '/no-such-page', '/assets/main-abc123.js', '/api/docs/static/index.html', '/img/playlist/empty/640'])
      expect([url, await readPolicyDirectives(url)]).toEqual([url, expect.arrayContaining(["frame-ancestors 'none'"])])
  })
})

describe('cross-origin policies', () => {
  it('pages have no opener of another origin', async () => {
    for (const url of ['/', '/shell', '/no-such-page']) expect((await readHeaders(url))['cross-origin-opener-policy']).toBe('same-origin')
  })

  it('other origins may embed only the pictures', async () => {
    for (const url of ['/', '/api/site', '/assets/main-abc123.js', '/manifest.webmanifest', '/latest.atom'])
      expect([url, (await readHeaders(url))['cross-origin-resource-policy']]).toEqual([url, 'same-origin'])
    for (const url of ['/img/og/site.jpg', '/img/playlist/empty/640'])
      expect([url, (await readHeaders(url))['cross-origin-resource-policy']]).toEqual([url, 'cross-origin'])
  })
})
