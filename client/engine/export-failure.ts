import type { ExportFailure } from './engine.ts'
import { isOutOfSpaceError } from './out-of-space-error.ts'

export function toExportFailure(error: unknown): ExportFailure {
  if (isOutOfSpaceError(error)) return { kind: 'no-room' }
  return { kind: 'failed', reason: error instanceof Error || error instanceof DOMException ? error.message : String(error) }
}
