import { createRoot } from 'react-dom/client'
import { expect, it, vi } from 'vitest'
import { createMemoryDatabase } from '../data/memory-database.ts'
import { useReportSong } from '../features/song/use-report-song.ts'
import { type Services, ServicesProvider } from '../hooks/services.tsx'
import { createApi, withAuth } from '../platform/api.ts'
import { anonymousIdentity } from '../platform/identity.ts'
import { createSongSource } from '../player/song-source.ts'
import { createOfflineMutations } from './offline-mutations.ts'

/** Creates the services for a person who is not signed in. The simulated server answers requests only once `site.answers` is set. */
function startServices() {
  const site = { answers: false }
  const sentCalls: { path: string; body: Record<string, string> }[] = []
  const api = createApi({
    baseUrl: '/api',
    async fetch(url, init) {
      sentCalls.push({ path: String(url), body: JSON.parse(String(init?.body)) })
      if (!site.answers) throw new TypeError('Failed to fetch')
      return new Response(JSON.stringify({ code: 200, message: '', data: null }))
    },
  })
  const database = createMemoryDatabase()
  const connection = { offline: false, subscribe: () => () => {} }
  // The cast is safe, because the test uses only these services.
  const deps = {
    api,
    accountApi: withAuth(anonymousIdentity, api),
    identity: anonymousIdentity,
    connection,
    database,
  } as unknown as Parameters<typeof createOfflineMutations>[0]
  const offlineMutations = createOfflineMutations(deps)
  const services = { kind: 'main', ...deps, offlineMutations: async () => offlineMutations } as unknown as Services
  return { site, sent: sentCalls, api, services, offlineMutations, outbox: () => database.read((tables) => tables.outbox.all()) }
}

let reportSong: ReturnType<typeof useReportSong> | undefined
function ReportHook() {
  reportSong = useReportSong()
  return null
}

it('outbox: a song report whose request got no response is stored, and sent later with the same change id', async () => {
  const { site, sent: sentCalls, services, offlineMutations, outbox } = startServices()
  const root = createRoot(document.createElement('div'))
  root.render(
    <ServicesProvider services={services}>
      <ReportHook />
    </ServicesProvider>,
  )
  await vi.waitFor(() => expect(reportSong).toBeDefined())
  expect(await reportSong?.('song', 'too quiet')).toBe('queued')
  expect(await outbox()).toMatchObject([{ uid: '', call: 'POST /contact/request', state: 'waiting' }])
  site.answers = true
  await offlineMutations.outbox.drain()
  expect(await outbox()).toEqual([])
  expect(new Set(sentCalls.map(({ body }) => body.change_id)).size).toBe(1)
  expect(await reportSong?.('song', 'too quiet')).toBe('sent')
  offlineMutations.outbox.close()
  root.unmount()
})

it('outbox: a play whose request got no response is stored with the time of the play and without an account', async () => {
  const { site, sent: sentCalls, api, offlineMutations, outbox } = startServices()
  const songSource = createSongSource({
    api,
    catalogue: {} as Services['catalogue'],
    openPlayStore: async () => offlineMutations,
  })
  songSource.countPlay('song', 'rush', 180)
  await vi.waitFor(async () => expect(await outbox()).toMatchObject([{ uid: '', body: { s: 'song', p: 'rush', duration: 180 } }]))
  site.answers = true
  await offlineMutations.outbox.drain()
  expect(await outbox()).toEqual([])
  const { path, body } = sentCalls.at(-1) ?? { path: '', body: {} }
  expect(path).toContain('/song/play')
  expect(Math.abs(Date.now() - Date.parse(body.played_at ?? ''))).toBeLessThan(60_000)
  // Checks that a play for which the server sent a response is not stored in the outbox.
  songSource.countPlay('song', undefined, 0)
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(await outbox()).toEqual([])
  offlineMutations.outbox.close()
})
