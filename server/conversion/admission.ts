import { HOUR_MS } from '../durations.ts'
import type { FileStore } from '../files/file-store.ts'
import type { Upload } from '../http/uploads.ts'
import { type createConversionLimits, createHourlyLimitError } from './conversion-limits.ts'
import { createConversionFileName } from './files.ts'
import type { createConversionHolds } from './holds.ts'
import { failureMessages } from './job.ts'
import { sniffFormat } from './sniff.ts'
import type { Conversion, ConversionStore } from './store.ts'

interface AdmissionDeps {
  store: ConversionStore
  fileStore: FileStore
  holds: Pick<ReturnType<typeof createConversionHolds>, 'untilMs' | 'take' | 'queueStored'>
  limits: Pick<ReturnType<typeof createConversionLimits>, 'requireRoom'>
  /** The limit of conversions of an account in an hour. */
  conversionsPerHour: number
  nowMs: () => number
}

/** Stores conversions with their uploads, and queues them. */
export function createAdmission({ store, fileStore, holds, limits, conversionsPerHour, nowMs }: AdmissionDeps) {
  async function storeUpload(conversionId: string, upload: Upload): Promise<void> {
    try {
      await holds.queueStored(conversionId, () => upload.moveTo(fileStore, createConversionFileName(conversionId, 'in')))
    } catch (error) {
      await store.update(conversionId, { state: 'failed', message: failureMessages.failed })
      throw error
    }
  }

  return {
    /** Stores a conversion and its upload, unless the conversion is stored already. @throws ApiError if a limit is reached */
    async admit(conversion: Conversion, upload: Upload): Promise<void> {
      const { id, uid } = conversion
      await limits.requireRoom(uid, id)
      const additionOutcome = await store.add(conversion, conversionsPerHour, nowMs() - HOUR_MS, holds.untilMs())
      if (additionOutcome === 'too-many') throw createHourlyLimitError(conversionsPerHour)
      if (additionOutcome === 'done') await storeUpload(id, upload)
    },

    /**
     * Uses the upload of a repeated request if that of the first one was lost, because its process ended before it had stored it: the conversion has not
     * ended, no process holds it, and the file store lacks the upload. Otherwise discards the upload.
     */
    async replaceLostUpload({ id, upload_bytes, demuxer }: Conversion, upload: Upload): Promise<void> {
      const isSameFile = upload.bytes === upload_bytes && (await sniffFormat(upload.path, upload.name)) === demuxer
      const isLost = isSameFile && (await fileStore.size(createConversionFileName(id, 'in'))) === undefined
      if (isLost && (await holds.take(id))) await storeUpload(id, upload)
      else await upload.discard()
    },
  }
}
