import { createRoot } from 'react-dom/client'
import { expect, it, vi } from 'vitest'
import { createMakeHistory } from '../data/make-history.ts'
import { createMemoryStore } from '../data/memory-store.ts'
import { createOutbox } from '../data/outbox.ts'
import { noFavorites } from '../data/testing/no-favorites.ts'
import { ApiFailure } from '../platform/api.ts'
import { type ExportedFile, type LoadedHistory, useMakeHistory, useRecordExport } from './make-history.ts'
import { type Services, ServicesProvider } from './services.tsx'

let shown: LoadedHistory
let record: (file: ExportedFile) => Promise<void>
function Shown() {
  shown = useMakeHistory()
  record = useRecordExport()
  return null
}

const old = { id: 'old', file_name: 'old.wav', file_size: 1, created: '2026-02-01T12:00:00.000Z' }
const file = (file_name: string): ExportedFile => ({ file_name, file_size: 44, speed: 1.25, pitch: 0 })

it('shows what was made, above it what the site does not know yet, and lets a person decide on what it refused', async () => {
  const store = createMemoryStore()
  const person = { uid: 'ann', email: 'ann@example.com', emailVerified: true }
  const identity = {
    getSnapshot: () => person,
    subscribe: () => () => {},
    token: async () => `x.${btoa(JSON.stringify({ sub: 'ann' }))}.y`,
  }
  const connection = { offline: true, subscribe: () => () => {} }
  let rows = [old]
  const call = async (key: string) => {
    if (key === 'GET /make/history') return rows
    throw new ApiFailure('api', 403, 'Content locked.')
  }
  // Only what these use.
  const api = { call } as unknown as Services['accountApi'] & Services['api']
  const outbox = createOutbox({ store, api, identity, connection, favorites: noFavorites, applied: async () => {} })
  const makeHistory = createMakeHistory({ api, store, outbox, signedIn: () => 'ann' })
  const services = { identity, writes: async () => ({ outbox, makeHistory }) } as unknown as Services
  const root = createRoot(document.createElement('div'))
  root.render(
    <ServicesProvider services={services}>
      <Shown />
    </ServicesProvider>,
  )
  await vi.waitFor(() => expect(shown.rows).toEqual([old]))
  await record(file('first.wav'))
  await new Promise((resolve) => setTimeout(resolve, 5))
  await record(file('second.wav'))
  const unsent = () => shown.unsent.map(({ file_name, refusal }) => [file_name, refusal])
  const both = (refusal?: string) => [
    ['second.wav', refusal],
    ['first.wav', refusal],
  ]
  await vi.waitFor(() => expect(unsent()).toEqual(both()))
  connection.offline = false
  await outbox.drain()
  await vi.waitFor(() => expect(unsent()).toEqual(both('Content locked.')))
  shown.discard(shown.unsent[0]?.id ?? '')
  await vi.waitFor(() => expect(unsent()).toEqual([['first.wav', 'Content locked.']]))
  // The answer to an earlier attempt was lost: the site knows it all the same.
  rows = [{ ...old, id: shown.unsent[0]?.id ?? '', file_name: 'first.wav' }, old]
  shown.refresh()
  await vi.waitFor(() => expect([unsent(), shown.rows?.length]).toEqual([[], 2]))
  outbox.close()
  root.unmount()
})
