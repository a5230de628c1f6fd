import { randomUUID } from 'node:crypto'
import type { MakeHistoryRow } from '../../contract/make.ts'
import { requireUser } from '../http/user.ts'
import type { MadeFileRow } from '../storage/interfaces/make-history.ts'
import { clampClientTime, pageOf, type RouteContext } from './route-context.ts'

const toHistoryRow = ({ id, file_name, file_size, created }: MadeFileRow): MakeHistoryRow => ({ id, file_name, file_size, created })

export function registerMake({ endpoint, storage, nowMs }: RouteContext): void {
  endpoint('GET /make/history', {}, async (input, request) => {
    const files = await storage.makeHistory.list(requireUser(request).uid, pageOf(input))
    return files.map(toHistoryRow)
  })

  endpoint('POST /make/history', {}, async ({ change_id, exported_at, ...file }, request) => {
    const id = change_id?.toLowerCase() ?? randomUUID()
    return toHistoryRow(
      await storage.makeHistory.add(requireUser(request).uid, { ...file, id, createdMs: clampClientTime(exported_at, nowMs()) }),
    )
  })
}
