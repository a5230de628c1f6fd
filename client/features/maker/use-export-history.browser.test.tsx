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
const createExportedFile = (file_name: string): ExportedFile => ({ file_name, file_size: 44, speed: 1.25, pitch: 0 })

it('useExportHistory: files in the outbox and recorded files are listed; a refused file can be discarded, a recorded file leaves the outbox list', async () => {
  const database = createMemoryDatabase()
  const signedInAccount = { uid: 'ann', email: 'ann@example.com', emailVerified: true }
  const identity = {
    getSnapshot: () => signedInAccount,
    subscribe: () => () => {},
    token: async () => `x.${btoa(JSON.stringify({ sub: 'ann' }))}.y`,
    loginSignal: () => new AbortController().signal,
  }
  const connection = { offline: true, subscribe: () => () => {} }
  let historyRows = [oldFile]
  const callApi = async (endpointKey: string) => {
    if (endpointKey === 'GET /make/history') return historyRows
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
  await recordExport(createExportedFile('first.wav'))
  await new Promise((resolve) => setTimeout(resolve, 5))
  await recordExport(createExportedFile('second.wav'))
  const listOutboxFiles = () => history.outboxFiles.map(({ file_name, refusal }) => [file_name, refusal])
  const listBothFiles = (refusalText?: string) => [
    ['second.wav', refusalText],
    ['first.wav', refusalText],
  ]
  await vi.waitFor(() => expect(listOutboxFiles()).toEqual(listBothFiles()))
  connection.offline = false
  await outbox.drain()
  await vi.waitFor(() => expect(listOutboxFiles()).toEqual(listBothFiles('Content locked.')))
  history.discard(history.outboxFiles[0]?.id ?? '')
  await vi.waitFor(() => expect(listOutboxFiles()).toEqual([['first.wav', 'Content locked.']]))
  // The server has recorded the file already, but its response to the earlier attempt was lost.
  historyRows = [{ ...oldFile, id: history.outboxFiles[0]?.id ?? '', file_name: 'first.wav' }, oldFile]
  history.refresh()
  await vi.waitFor(() => expect([listOutboxFiles(), history.rows?.length]).toEqual([[], 2]))
  outbox.close()
  root.unmount()
})
