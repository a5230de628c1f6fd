import type { DiskFile } from './file-output.ts'
import { createScratch } from './scratch.ts'
import { createWorkerClient } from './worker-client.ts'
import type { FileCalls } from './workers/calls.ts'

/**
 * Creates an empty file and the worker that writes it, which ends with an abort of `signal`.
 *
 * @returns undefined if the browser has no private file system for the site
 * @throws the reason of `signal`
 */
export async function createDiskFile(signal: AbortSignal): Promise<DiskFile | undefined> {
  const scratch = await createScratch()
  if (scratch === undefined) return undefined
  const worker = createWorkerClient<FileCalls>(new Worker(new URL('./workers/file-worker.ts', import.meta.url), { type: 'module' }), signal)
  try {
    await worker.call('open', { scratchName: scratch.name })
  } catch {
    worker.terminate()
    void scratch.dispose()
    signal.throwIfAborted()
    return undefined
  }
  return {
    createOutput(mimeType) {
      let writtenBytes = 0
      return {
        async write(bytes) {
          writtenBytes += bytes.byteLength
          await worker.call('write', { bytes }, { transfer: [bytes.buffer] })
        },
        async finish() {
          await worker.call('finish', undefined)
          const file = await scratch.handle.getFile()
          if (file.size !== writtenBytes) throw new DOMException('the disk is full', 'QuotaExceededError')
          return { bytes: writtenBytes, file: file.slice(0, writtenBytes, mimeType) }
        },
        abort() {
          worker.call('clear', undefined).catch(() => {})
        },
      }
    },
    release() {
      worker.terminate()
      return scratch
    },
  }
}
