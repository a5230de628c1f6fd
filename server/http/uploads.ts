import { randomUUID } from 'node:crypto'
import { createWriteStream, rmSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { UPLOAD_MAX_BYTES, UPLOAD_TOO_LARGE_MESSAGE } from '../../contract/conversion-rules.ts'
import { ApiError } from '../../contract/errors.ts'
import { hasDiskSpace, isDiskFull } from '../disk-space.ts'
import type { FileStore } from '../files/file-store.ts'

/** The maximum number of uploaded files that exist at once, of all accounts together. */
const CONCURRENT_UPLOADS_MAX = 20
const NO_ROOM_TEXT = 'The server has no room for another file at present. Please try again later.'
const NO_ROOM_RETRY_SECONDS = 3600

export const createNoDiskSpaceError = () => new ApiError('unavailable', NO_ROOM_TEXT, NO_ROOM_RETRY_SECONDS)

/** An uploaded file. It is deleted when its request ends, in whatever way, unless it was moved to a store. */
export interface Upload {
  path: string
  name: string
  bytes: number
  moveTo(store: FileStore, fileName: string): Promise<void>
  /** Deletes the file, unless it was moved, and frees its place for another upload. */
  discard(): Promise<void>
}

/** The upload of a request. The file exists while the handler of the request runs, even if the client has disconnected. */
export interface RequestUpload extends Upload {
  useFor<T>(task: () => Promise<T>): Promise<T>
}

export interface UploadRules {
  /** The maximum number of files that an account may upload at once. */
  maxPerAccount: number
}

interface UploadRequest extends UploadRules {
  uid: string
  name: string
  /** A signal that aborts when the connection is closed or the response is sent. */
  signal: AbortSignal
}

const createTooLargeError = () => new ApiError('too-large', UPLOAD_TOO_LARGE_MESSAGE)

/** Stores the uploaded files of requests as `*.upload` in a folder. */
export function createUploadService(uploadsDir: string, hasSpace = hasDiskSpace) {
  /** The uid of the account that uploads each file, by the file's path. */
  const uidByFilePath = new Map<string, string>()

  async function discardFile(filePath: string): Promise<void> {
    await rm(filePath, { force: true })
    uidByFilePath.delete(filePath)
  }

  // A server that stops does not wait for slow uploads. Their files are deleted when the process exits.
  const deleteUploadsAtExit = () => {
    for (const path of uidByFilePath.keys()) rmSync(path, { force: true })
  }
  process.once('exit', deleteUploadsAtExit)

  /** @throws ApiError 429 if the account uploads too much at once, 503 if all accounts together do */
  function reserveFile({ uid, maxPerAccount }: UploadRequest): string {
    const accountUploadCount = [...uidByFilePath.values()].filter((each) => each === uid).length
    if (accountUploadCount >= maxPerAccount)
      throw new ApiError('too-many', 'Your last file is not stored yet. Please try again when it is.', 10)
    if (uidByFilePath.size >= CONCURRENT_UPLOADS_MAX)
      throw new ApiError('unavailable', 'Many files are being uploaded. Please try again in a minute.', 60)
    const path = join(uploadsDir, `${randomUUID()}.upload`)
    uidByFilePath.set(path, uid)
    return path
  }

  return {
    dir: uploadsDir,

    /** Returns the maximum disk space that the files of the current requests can take. */
    reservedBytes: () => uidByFilePath.size * UPLOAD_MAX_BYTES,

    /** Stores a file of a request. @throws ApiError if it is too large, too many are uploaded at once, or the disk is full */
    async receive(fileStream: Readable & { truncated?: boolean }, request: UploadRequest): Promise<RequestUpload> {
      const filePath = reserveFile(request)
      let receivedBytes = 0
      try {
        await mkdir(uploadsDir, { recursive: true, mode: 0o700 })
        if (!(await hasSpace(uploadsDir, uidByFilePath.size * UPLOAD_MAX_BYTES))) throw createNoDiskSpaceError()
        fileStream.on('data', (chunk: Buffer) => {
          receivedBytes += chunk.length
        })
        const storedFile = createWriteStream(filePath, { mode: 0o600, flags: 'wx' })
        // A failed pipeline may reject before the file has been created. The file can be deleted only after its stream has closed.
        const fileClosed = new Promise<void>((resolve) => storedFile.once('close', () => resolve()))
        await pipeline(fileStream, storedFile, { signal: request.signal }).finally(() => fileClosed)
        if (fileStream.truncated) throw createTooLargeError()
        request.signal.throwIfAborted()
      } catch (error) {
        await discardFile(filePath)
        if (isDiskFull(error)) throw createNoDiskSpaceError()
        throw fileStream.truncated ? createTooLargeError() : error
      }
      let isUsed = false
      request.signal.addEventListener('abort', () => {
        if (!isUsed) void discardFile(filePath)
      })
      return {
        path: filePath,
        name: request.name,
        bytes: receivedBytes,
        discard: () => discardFile(filePath),
        async moveTo(store, fileName) {
          await store.moveIn(filePath, fileName)
          uidByFilePath.delete(filePath)
        },
        async useFor(handleUpload) {
          isUsed = true
          try {
            return await handleUpload()
          } finally {
            await discardFile(filePath)
          }
        },
      }
    },

    /** Deletes the files of all requests. */
    async close(): Promise<void> {
      process.off('exit', deleteUploadsAtExit)
      await Promise.all([...uidByFilePath.keys()].map(discardFile))
    },
  }
}
export type UploadService = ReturnType<typeof createUploadService>
