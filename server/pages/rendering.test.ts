import { afterEach, expect, it, vi } from 'vitest'
import { cspHash } from '../http/security.ts'
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
        async renderPage(_site, path) {
          renderedPaths.push(path)
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
  const responses = Promise.all([get('/playlists?x=1'), get('/playlists?utm_source=y'), get('/playlists/')])
  finishRendering()
  for (const response of await responses) expect(response?.body).toContain('<h1>rendered 1</h1>')
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

it('page rendering: beyond the limit of simultaneous renderings, a page is answered with its heading only and is not cached', async () => {
  const { rendered: renderedPaths, finishRendering, get } = await createCountingSite()
  const responses = Array.from({ length: 20 }, (_, n) => get(`/search?q=word${n}`))
  const earlyResponses: Awaited<ReturnType<typeof get>>[] = []
  for (const response of responses) void response?.then((each) => earlyResponses.push(each))
  // Waits until the server has answered the 12 requests beyond the limit of 8 simultaneous renderings.
  await vi.waitUntil(() => earlyResponses.length === 12)
  expect(earlyResponses[0]?.body).toContain('<h1>Results for')
  expect(earlyResponses[0]?.statusCode).toBe(200)
  finishRendering()
  const allResponses = await Promise.all(responses)
  expect(allResponses.filter((response) => response?.body.includes('<h1>rendered'))).toHaveLength(8)
  await get('/search?q=word19')
  expect(renderedPaths.at(-1)).toBe('/search?q=word19')
})

it('page rendering: a page whose rendering fails is answered with its heading, and is rendered for the next request', async () => {
  let failures = 0
  site = await createTestApp(
    {},
    {
      prerender: {
        renderPage: async () => {
          if (failures++ === 0) throw new Error('broken component')
          return '<h1>rendered</h1>'
        },
        renderShell: () => '',
      },
    },
  )
  const get = () => site?.app.inject({ url: '/search?q=word', headers: { host: 'localhost:8080' } })
  const response = await get()
  expect(response?.statusCode).toBe(200)
  expect(response?.body).toContain('<h1>Results for')
  expect(site.readLog()).toContain('broken component')
  expect((await get())?.body).toContain('<h1>rendered</h1>')
})

it('page rendering: the dashboard alone has the template of the account snapshot, and its policy allows the script that shows it', async () => {
  const { finishRendering, get } = await createCountingSite()
  finishRendering()
  for (const [path, count] of [
    ['/account', 1],
    ['/account/change-password', 0],
    ['/playlists', 0],
  ] as const) {
    const response = await get(path)
    const [, ...scripts] = response?.body.split('<template id="account-snapshot"></template><script>') ?? []
    expect([path, scripts.length]).toEqual([path, count])
    for (const rest of scripts)
      expect(response?.headers['content-security-policy']).toContain(cspHash(rest.slice(0, rest.indexOf('</script>'))))
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
