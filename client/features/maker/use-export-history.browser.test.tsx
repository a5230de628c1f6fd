import { createRoot } from 'react-dom/client'
import { expect, it, vi } from 'vitest'
import { createExportHistory } from '../../data/export-history.ts'
import { createMemoryDatabase } from '../../data/memory-database.ts'
import { createOutbox } from '../../data/outbox.ts'
import { type Services, ServicesProvider } from '../../hooks/services.tsx'
import { ApiCallError } from '../../platform/api.ts'
import { type ExportedFile, type ExportHistoryState, useExportHistory, useRecordExport } from './use-export-history.ts'

let history: ExportHistoryState
let recordExport: (file: ExportedFile) => Promise<void>
function Probe() {
  history = useExportHistory()
  recordExport = useRecordExport()
  return null
}

const oldFile = { id: 'old', file_name: 'old.wav', file_size: 1, created: '2026-02-01T12:00:00.000Z' }
const exportedFile = (file_name: string): ExportedFile => ({ file_name, file_size: 44, speed: 1.25, pitch: 0 })

it('useExportHistory: files in the outbox and recorded files are listed; a refused file can be discarded, a recorded file leaves the outbox list', async () => {
  const database = createMemoryDatabase()
  const person = { uid: 'ann', email: 'ann@example.com', emailVerified: true }
  const identity = {
    getSnapshot: () => person,
    subscribe: () => () => {},
    token: async () => `x.${btoa(JSON.stringify({ sub: 'ann' }))}.y`,
    loginSignal: () => new AbortController().signal,
  }
  const connection = { offline: true, subscribe: () => () => {} }
  let rows = [oldFile]
  const callApi = async (key: string) => {
    if (key === 'GET /make/history') return rows
    throw new ApiCallError('api', 403, 'Content locked.')
  }
  // The cast is safe, because the outbox and the history call only these methods of the API.
  const api = { call: callApi } as unknown as Services['accountApi'] & Services['api']
  const outbox = createOutbox({ database, api, identity, connection, syncs: [], onApplied: async () => {} })
  const makeHistory = createExportHistory({ api, database, outbox, getSignedInUid: () => 'ann' })
  const services = { kind: 'main', identity, offlineMutations: async () => ({ outbox, makeHistory }) } as unknown as Services
  const root = createRoot(document.createElement('div'))
  root.render(
    <ServicesProvider services={services}>
      <Probe />
    </ServicesProvider>,
  )
  await vi.waitFor(() => expect(history.rows).toEqual([oldFile]))
  await recordExport(exportedFile('first.wav'))
  await new Promise((resolve) => setTimeout(resolve, 5))
  await recordExport(exportedFile('second.wav'))
  const outboxFiles = () => history.outboxFiles.map(({ file_name, refusal }) => [file_name, refusal])
  const bothFiles = (refusal?: string) => [
    ['second.wav', refusal],
    ['first.wav', refusal],
  ]
  await vi.waitFor(() => expect(outboxFiles()).toEqual(bothFiles()))
  connection.offline = false
  await outbox.drain()
  await vi.waitFor(() => expect(outboxFiles()).toEqual(bothFiles('Content locked.')))
  history.discard(history.outboxFiles[0]?.id ?? '')
  await vi.waitFor(() => expect(outboxFiles()).toEqual([['first.wav', 'Content locked.']]))
  // The server has recorded the file already, but its response to the earlier attempt was lost.
  rows = [{ ...oldFile, id: history.outboxFiles[0]?.id ?? '', file_name: 'first.wav' }, oldFile]
  history.refresh()
  await vi.waitFor(() => expect([outboxFiles(), history.rows?.length]).toEqual([[], 2]))
  outbox.close()
  root.unmount()
})
