import { afterEach, expect, it, vi } from 'vitest'
import { createTestApp, type TestApp } from '../test-app.ts'

let site: TestApp | undefined
afterEach(() => site?.close())

async function createCounted() {
  const rendered: string[] = []
  let open = () => {}
  const gate = new Promise<void>((resolve) => {
    open = resolve
  })
  site = await createTestApp(
    {},
    {
      prerender: {
        async renderPage(_site, path) {
          rendered.push(path)
          await gate
          return `<h1>made ${rendered.length}</h1>`
        },
        renderShell: () => '<h1>shell</h1>',
      },
    },
  )
  const get = (url: string, options: { method?: 'GET' | 'HEAD'; headers?: Record<string, string> } = {}) =>
    site?.app.inject({ method: 'GET', ...options, url, headers: { host: 'localhost:8080', ...options.headers } })
  return { rendered, open, get }
}

it('makes a page once for all who ask, whatever else stands in its address', async () => {
  const { rendered, open, get } = await createCounted()
  const answers = Promise.all([get('/playlists?x=1'), get('/playlists?utm_source=y'), get('/playlists/')])
  open()
  for (const answer of await answers) expect(answer?.body).toContain('<h1>made 1</h1>')
  expect((await get('/playlists?x=2', { headers: { authorization: 'Bearer x' } }))?.statusCode).toBe(200)
  expect((await get('/playlists', { method: 'HEAD' }))?.statusCode).toBe(200)
  await get('/nothing-here')
  expect((await get('/nor-here?s=1'))?.statusCode).toBe(404)
  expect((await get('/song?s=CCCCCCCCCC1'))?.statusCode).toBe(404)
  expect(rendered).toEqual(['/playlists', '/no-such-page'])
})

it('renders no more at once than others can wait for: the rest open with their heading, and are made anew the next time', async () => {
  const { rendered, open, get } = await createCounted()
  const answers = Array.from({ length: 20 }, (_, n) => get(`/search?q=word${n}`))
  const early: Awaited<ReturnType<typeof get>>[] = []
  for (const answer of answers) void answer?.then((each) => early.push(each))
  // Until all have asked: who asks later finds a place that has become free.
  await vi.waitUntil(() => early.length === 12)
  expect(early[0]?.body).toContain('<h1>Results for')
  expect(early[0]?.statusCode).toBe(200)
  open()
  const all = await Promise.all(answers)
  expect(all.filter((answer) => answer?.body.includes('<h1>made'))).toHaveLength(8)
  await get('/search?q=word19')
  expect(rendered.at(-1)).toBe('/search?q=word19')
})

it('is a fault where the rows cannot be read, also of a page whose head needs none', async () => {
  site = await createTestApp(
    {},
    {
      wrapStorage: (storage) => ({
        ...storage,
        playlists: { ...storage.playlists, all: () => Promise.reject(new Error('The disk is gone.')) },
      }),
    },
  )
  expect((await site.app.inject({ url: '/', headers: { host: 'localhost:8080' } })).statusCode).toBe(500)
})
