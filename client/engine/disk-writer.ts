import type { DiskFile } from './file-output.ts'
import { createScratchFile } from './scratch.ts'
import { createWorkerClient, startWorker, type WorkerClient } from './worker-client.ts'
import type { FileCalls } from './workers/calls.ts'
import fileWorkerUrl from './workers/file-worker.ts?worker&url'

/** Writes files to the disk, one at a time, in a worker that is started by the first file and reused by later ones. */
export interface DiskWriter {
  /**
   * Creates an empty file. If `signal` is aborted, pending writes to the file reject.
   *
   * @returns undefined if the browser has no private file system for the site
   * @throws the reason of `signal`
   */
  createFile(signal: AbortSignal): Promise<DiskFile | undefined>
  dispose(): void
}

export function createDiskWriter(): DiskWriter {
  let worker: WorkerClient<FileCalls> | undefined

  function takeWorker() {
    worker ??= createWorkerClient<FileCalls>(startWorker(fileWorkerUrl))
    return worker
  }

  function terminateWorker() {
    worker?.terminate()
    worker = undefined
  }

  return {
    async createFile(signal) {
      const scratchFile = await createScratchFile()
      if (scratchFile === undefined) return undefined
      if (signal.aborted) {
        void scratchFile.dispose()
        throw signal.reason
      }
      const fileWorker = takeWorker()
      const closeFile = () => fileWorker.call('close', { scratchName: scratchFile.name }).catch(() => {})
      try {
        await fileWorker.call('open', { scratchName: scratchFile.name }, { signal })
      } catch {
        if (signal.aborted) void closeFile()
        else terminateWorker()
        void scratchFile.dispose()
        signal.throwIfAborted()
        return undefined
      }
      return {
        createOutput(mimeType) {
          let writtenBytes = 0
          return {
            async write(bytes) {
              writtenBytes += bytes.byteLength
              await fileWorker.call('write', { bytes }, { transfer: [bytes.buffer], signal })
            },
            async finish() {
              await fileWorker.call('finish', undefined, { signal })
              const file = await scratchFile.handle.getFile()
              if (file.size !== writtenBytes) throw new DOMException('the disk is full', 'QuotaExceededError')
              return { bytes: writtenBytes, file: file.slice(0, writtenBytes, mimeType) }
            },
            abort() {
              fileWorker.call('clear', undefined).catch(() => {})
            },
          }
        },
        release() {
          void closeFile()
          return scratchFile
        },
      }
    },
    dispose: terminateWorker,
  }
}
