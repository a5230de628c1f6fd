import { existsSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../test-app.ts'

let site: TestApp
beforeAll(async () => {
  site = await createTestApp()
})
afterAll(() => site.close())

const fetchManifest = (host: string, url = '/manifest.webmanifest') => site.app.inject({ url, headers: { host } })

it.each(['localhost:8080', 'slowedreverb.localhost:8080'])(
  'manifest: the main host %s has shortcuts, a share target and file handlers',
  async (host) => {
    const response = await fetchManifest(host)
    expect(response.headers['content-type']).toBe('application/manifest+json; charset=utf-8')
    const webManifest = response.json()
    expect(webManifest).toMatchObject({ id: '/', start_url: '/', scope: '/', display: 'standalone' })
    expect(webManifest.short_name.length).toBeLessThanOrEqual(12)
    expect(webManifest.shortcuts.map((each: { url: string }) => each.url)).toEqual([
      '/go/random',
      '/go/favorites',
      '/go/radio',
      '/account/maker',
    ])
    expect(webManifest).toMatchObject({
      launch_handler: { client_mode: ['focus-existing', 'auto'] },
      share_target: { action: '/account/maker', method: 'POST', enctype: 'multipart/form-data', params: { files: [{ name: 'file' }] } },
      file_handlers: [{ action: '/account/maker', launch_type: 'single-client' }],
    })
    for (const each of webManifest.screenshots) {
      expect(existsSync(new URL(`../../public${each.src}`, import.meta.url)), each.src).toBe(true)
    }
    for (const icon of [...webManifest.icons, ...webManifest.shortcuts.flatMap((each: { icons: object[] }) => each.icons)]) {
      expect(String((await fetchManifest(host, icon.src)).headers['content-type']).split(';')[0]).toBe(icon.type)
    }
  },
)

it('manifest: brands and radio hosts have different manifests', async () => {
  const hosts = ['localhost:8080', 'slowedreverb.localhost:8080', 'fm.localhost:8080', 'fm.slowedreverb.localhost:8080']
  const names = await Promise.all(hosts.map(async (host) => (await fetchManifest(host)).json().name))
  expect(new Set(names).size).toBe(4)
})

it('manifest: the radio has its own icons, and its shortcuts are in its scope', async () => {
  const webManifest = (await fetchManifest('fm.localhost:8080')).json()
  expect(webManifest.shortcuts.map((each: { url: string }) => each.url)).toEqual(['/?play', '/?station=main', '/?station=newcomers'])
  expect(webManifest.share_target).toBeUndefined()
  for (const { src, type } of [...webManifest.icons, ...webManifest.shortcuts.flatMap((each: { icons: object[] }) => each.icons)])
    expect(String((await fetchManifest('fm.localhost:8080', src)).headers['content-type']).split(';')[0], src).toBe(type)
  for (const { src } of webManifest.icons)
    expect(
      (await fetchManifest('fm.localhost:8080', src)).rawPayload.equals((await fetchManifest('localhost:8080', src)).rawPayload),
      src,
    ).toBe(false)
})

it('manifest: hosts of subscribers have no manifest', async () => {
  expect((await fetchManifest('aria.localhost:8080')).statusCode).toBe(404)
  expect((await fetchManifest('aria.localhost:8080', '/')).body).not.toContain('rel="manifest"')
})

it('share target: a form that is posted to it always redirects to the maker', async () => {
  const multipartBoundary = 'x'
  const multipartBody = `--x\r\ncontent-disposition: form-data; name="file"; filename="a.mp3"\r\ncontent-type: audio/mpeg\r\n\r\n${'a'.repeat(50_000)}\r\n--x--\r\n`
  for (const [contentType, requestBody] of [
    [`multipart/form-data; boundary=${multipartBoundary}`, multipartBody],
    ['application/x-www-form-urlencoded', 'title=a'],
  ] as const) {
    const response = await site.app.inject({
      method: 'POST',
      url: '/account/maker',
      headers: { host: 'localhost:8080', 'content-type': contentType },
      payload: requestBody,
    })
    expect([response.statusCode, response.headers.location]).toEqual([303, '/account/maker'])
  }
  expect((await fetchManifest('localhost:8080', '/account/maker')).statusCode).toBe(200)
})
