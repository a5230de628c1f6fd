import { existsSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../test-app.ts'

let site: TestApp
beforeAll(async () => {
  site = await createTestApp()
})
afterAll(() => site.close())

const get = (host: string, url = '/manifest.webmanifest') => site.app.inject({ url, headers: { host } })

it.each(['localhost:8080', 'slowedreverb.localhost:8080'])('makes the main host %s an app with shortcuts and files', async (host) => {
  const answer = await get(host)
  expect(answer.headers['content-type']).toBe('application/manifest+json; charset=utf-8')
  const manifest = answer.json()
  expect(manifest).toMatchObject({ id: '/', start_url: '/', scope: '/', display: 'standalone' })
  expect(manifest.short_name.length).toBeLessThanOrEqual(12)
  expect(manifest.shortcuts.map((each: { url: string }) => each.url)).toEqual([
    '/go/random',
    '/go/favorites',
    '/go/radio',
    '/account/maker',
  ])
  expect(manifest).toMatchObject({
    launch_handler: { client_mode: ['focus-existing', 'auto'] },
    share_target: { action: '/account/maker', method: 'POST', enctype: 'multipart/form-data', params: { files: [{ name: 'file' }] } },
    file_handlers: [{ action: '/account/maker', launch_type: 'single-client' }],
  })
  for (const each of manifest.screenshots) {
    expect(existsSync(new URL(`../../public${each.src}`, import.meta.url)), each.src).toBe(true)
  }
  for (const icon of [...manifest.icons, ...manifest.shortcuts.flatMap((each: { icons: object[] }) => each.icons)]) {
    expect((await get(host, icon.src)).headers['content-type']).toBe(icon.type)
  }
})

it('differs by brand and host', async () => {
  const hosts = ['localhost:8080', 'slowedreverb.localhost:8080', 'fm.localhost:8080', 'fm.slowedreverb.localhost:8080']
  const names = await Promise.all(hosts.map(async (host) => (await get(host)).json().name))
  expect(new Set(names).size).toBe(4)
  expect((await get('fm.localhost:8080')).json().shortcuts).toBeUndefined()
})

it("gives a subscriber's site none", async () => {
  expect((await get('aria.localhost:8080')).statusCode).toBe(404)
  expect((await get('aria.localhost:8080', '/')).body).not.toContain('rel="manifest"')
})

it('takes a shared file to the page of the maker, whatever is sent', async () => {
  const boundary = 'x'
  const file = `--x\r\ncontent-disposition: form-data; name="file"; filename="a.mp3"\r\ncontent-type: audio/mpeg\r\n\r\n${'a'.repeat(50_000)}\r\n--x--\r\n`
  for (const [type, payload] of [
    [`multipart/form-data; boundary=${boundary}`, file],
    ['application/x-www-form-urlencoded', 'title=a'],
  ] as const) {
    const answer = await site.app.inject({
      method: 'POST',
      url: '/account/maker',
      headers: { host: 'localhost:8080', 'content-type': type },
      payload,
    })
    expect([answer.statusCode, answer.headers.location]).toEqual([303, '/account/maker'])
  }
  expect((await get('localhost:8080', '/account/maker')).statusCode).toBe(200)
})
