import { randomUUID } from 'node:crypto'
import type { MakeHistoryRow } from '../../contract/make.ts'
import { requireUser } from '../http/endpoint.ts'
import type { MadeFileRow } from '../storage/storage.ts'
import { pageOf, type RouteContext, saidAtMs } from './route-context.ts'

const shown = ({ id, file_name, file_size, created }: MadeFileRow): MakeHistoryRow => ({ id, file_name, file_size, created })

export function registerMake({ endpoint, storage, nowMs }: RouteContext): void {
  endpoint('GET /make/history', {}, async (input, request) => {
    const files = await storage.makeHistory.all(requireUser(request).uid, pageOf(input))
    return files.map(shown)
  })

  endpoint('POST /make/history', {}, async ({ change_id, exported_at, ...file }, request) => {
    const id = change_id?.toLowerCase() ?? randomUUID()
    return shown(await storage.makeHistory.add(requireUser(request).uid, { ...file, id, createdMs: saidAtMs(exported_at, nowMs()) }))
  })
}
