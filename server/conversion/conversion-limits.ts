import { mkdir } from 'node:fs/promises'
import { CONVERTED_FILE_STORAGE_DAYS } from '../../contract/conversion-rules.ts'
import { ApiError } from '../../contract/errors.ts'
import { hasDiskSpace } from '../disk-space.ts'
import { DAY_MS, HOUR_MS } from '../durations.ts'
import { createNoDiskSpaceError, type UploadService } from '../http/uploads.ts'
import { OUTPUT_MAX_BYTES, SAMPLES_MAX_BYTES } from './job.ts'
import { RUNNING_CONVERSIONS_MAX } from './queue.ts'
import type { ConversionStore } from './store.ts'

const WAITING_CONVERSIONS_MAX = 50
/** The maximum disk space of all uploads, converted files, and samples of running conversions together. */
const CONVERSIONS_DISK_MAX_BYTES = 4 * 1024 ** 3
/** The disk space that is reserved for the running conversions. */
const RUNNING_RESERVE_BYTES = RUNNING_CONVERSIONS_MAX * (SAMPLES_MAX_BYTES + OUTPUT_MAX_BYTES)
/** The maximum disk space of the converted files of one account. */
const ACCOUNT_DISK_MAX_BYTES = CONVERSIONS_DISK_MAX_BYTES / 4
/** The disk space that is reserved for the future converted file of each waiting conversion. */
const FILE_RESERVE_BYTES = 64 * 1024 ** 2

export const createHourlyLimitError = (perHour: number) =>
  new ApiError('too-many', `${perHour} songs can be converted within an hour. Please try again later.`, HOUR_MS / 1000)

interface ConversionLimitsDeps {
  store: ConversionStore
  uploads: Pick<UploadService, 'dir' | 'reservedBytes'>
  waitingCount: () => number
  /** The limit of conversions of an account in an hour. */
  conversionsPerHour: number
  nowMs: () => number
}

/** Limits the number of conversions, and the disk space of their files, of each account and of all accounts together. */
export function createConversionLimits({ store, uploads, waitingCount, conversionsPerHour, nowMs }: ConversionLimitsDeps) {
  /** The number of uploads that are being checked. Each counts as a waiting conversion, because several may be checked at the same time. */
  let uploadCheckCount = 0
  return {
    /**
     * Checks that an account may begin a conversion now. A conversion that the account has begun already is not checked. @throws ApiError if a
     * limit is reached
     */
    async requireRoom(uid: string, conversionId: string | undefined): Promise<void> {
      if (conversionId !== undefined && (await store.find(conversionId))?.uid === uid) return
      const pendingCount = waitingCount() + uploadCheckCount
      if (pendingCount > WAITING_CONVERSIONS_MAX)
        throw new ApiError('unavailable', 'Many songs are being converted. Please try again in a few minutes.', 300)
      if ((await store.countSince(uid, nowMs() - HOUR_MS)) >= conversionsPerHour) throw createHourlyLimitError(conversionsPerHour)
      if ((await store.sumBytes(uid)) > ACCOUNT_DISK_MAX_BYTES)
        throw new ApiError(
          'too-many',
          `Your songs of the last ${CONVERTED_FILE_STORAGE_DAYS} days take ${ACCOUNT_DISK_MAX_BYTES / 1024 ** 3} GB here, the most for an account. MP3 takes less than WAV.`,
          DAY_MS / 1000,
        )
      // An administrator may have deleted the folder while the server runs.
      await mkdir(uploads.dir, { recursive: true, mode: 0o700 })
      const reservedBytes = uploads.reservedBytes() + RUNNING_RESERVE_BYTES + pendingCount * FILE_RESERVE_BYTES
      if ((await store.sumBytes()) + reservedBytes > CONVERSIONS_DISK_MAX_BYTES || !(await hasDiskSpace(uploads.dir, FILE_RESERVE_BYTES)))
        throw createNoDiskSpaceError()
    },

    /** Runs `admitUpload`, which checks an upload. While `admitUpload` runs, it counts as a waiting conversion. */
    async count(admitUpload: () => Promise<void>): Promise<void> {
      uploadCheckCount++
      try {
        await admitUpload()
      } finally {
        uploadCheckCount--
      }
    },

    /** Returns whether the disk has room for another converted file. */
    hasRoomFor: async (bytes: number): Promise<boolean> => (await store.sumBytes()) + bytes <= CONVERSIONS_DISK_MAX_BYTES,
  }
}
