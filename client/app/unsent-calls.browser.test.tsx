import { createRoot } from 'react-dom/client'
import { expect, it, vi } from 'vitest'
import { useReportSong } from '../bindings/report-song.ts'
import { type Services, ServicesProvider } from '../bindings/services.tsx'
import { createMemoryStore, readOnce } from '../data/memory-store.ts'
import { createApi, inNameOf } from '../platform/api.ts'
import { nobody } from '../platform/nobody.ts'
import { createSongSource } from '../player/song-source.ts'
import { createWrites } from './writes.ts'

/** The calls of nobody in particular, over a site that does not answer until it is said to. */
function start() {
  const site = { answers: false }
  const sent: { path: string; body: Record<string, string> }[] = []
  const api = createApi({
    baseUrl: '/api',
    async fetch(url, init) {
      sent.push({ path: String(url), body: JSON.parse(String(init?.body)) })
      if (!site.answers) throw new TypeError('Failed to fetch')
      return new Response(JSON.stringify({ code: 200, message: '', data: null }))
    },
  })
  const store = createMemoryStore()
  const connection = { offline: false, subscribe: () => () => {} }
  // Only what these use.
  const deps = { api, accountApi: inNameOf(nobody, api), identity: nobody, connection, store } as unknown as Parameters<
    typeof createWrites
  >[0]
  const writes = createWrites(deps)
  const services = { ...deps, writes: async () => writes } as unknown as Services
  return { site, sent, api, services, writes, outbox: () => readOnce(store, (tables) => tables.outbox.all()) }
}

let report: ReturnType<typeof useReportSong> | undefined
function Shown() {
  report = useReportSong()
  return null
}

it('a report without an answer is kept, and sent later as the same one', async () => {
  const { site, sent, services, writes, outbox } = start()
  const root = createRoot(document.createElement('div'))
  root.render(
    <ServicesProvider services={services}>
      <Shown />
    </ServicesProvider>,
  )
  await vi.waitFor(() => expect(report).toBeDefined())
  expect(await report?.('song', 'too quiet')).toBe('kept')
  expect(await outbox()).toMatchObject([{ uid: '', call: 'POST /contact/request', state: 'waiting' }])
  site.answers = true
  await writes.outbox.drain()
  expect(await outbox()).toEqual([])
  expect(new Set(sent.map(({ body }) => body.change_id)).size).toBe(1)
  expect(await report?.('song', 'too quiet')).toBe('sent')
  writes.outbox.close()
  root.unmount()
})

it('a play without an answer is kept with its time, in nobody’s name', async () => {
  const { site, sent, api, writes, outbox } = start()
  const source = createSongSource({ api, catalogue: {} as Services['catalogue'], keepPlay: (play) => void writes.keepPlay(play) })
  source.countPlay('song', 'rush')
  await vi.waitFor(async () => expect(await outbox()).toMatchObject([{ uid: '', body: { s: 'song', p: 'rush' } }]))
  site.answers = true
  await writes.outbox.drain()
  expect(await outbox()).toEqual([])
  const { path, body } = sent.at(-1) ?? { path: '', body: {} }
  expect(path).toContain('/song/play')
  expect(Math.abs(Date.now() - Date.parse(body.played_at ?? ''))).toBeLessThan(60_000)
  // An answer, whatever it is, leaves nothing.
  source.countPlay('song', undefined)
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(await outbox()).toEqual([])
  writes.outbox.close()
})
