import type { DecodeReply, DecodeRequest, ReadReply } from './decode-messages.ts'
import type { SourceFacts, SourceFailure } from './sample-source.ts'

/** Reads one file in a worker of its own. */
export interface SourceReader {
  open(blob: Blob): Promise<SourceFacts | SourceFailure>
  /**
   * All samples of the file that was opened.
   *
   * @param scratchName where they go; without it they come back
   */
  read(scratchName: string | undefined, onProgress?: (progress: number) => void): Promise<ReadReply | 'no-room' | SourceFailure>
  /**
   * Mixes down and measures a sound that is decoded elsewhere, piece by piece: `frames` in all. The pieces' memory is taken. Rejects with what
   * `pieces` throws, and may be called again then.
   */
  take(frames: number, pieces: AsyncIterable<readonly Float32Array<ArrayBuffer>[]>): Promise<ReadReply>
  /** Ends the worker and frees what it has. */
  dispose(): void
}

/** What is asked of it rejects with the signal's reason as soon as that is aborted, and with an Error if the worker fails. */
export function createSourceReader(signal?: AbortSignal): SourceReader {
  const worker = new Worker(new URL('./decode-worker.ts', import.meta.url), { type: 'module' })

  function ask<T>(request: DecodeRequest, answer: (reply: DecodeReply) => T | undefined, transfer: Transferable[] = []): Promise<T> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
      worker.onerror = (event) => {
        event.preventDefault()
        reject(new Error(event.message))
      }
      worker.onmessage = ({ data }: MessageEvent<DecodeReply>) => {
        const answered = answer(data)
        if (answered !== undefined) resolve(answered)
      }
      worker.postMessage(request, transfer)
    })
  }

  return {
    open: (blob) =>
      ask({ kind: 'open', blob }, (reply) => {
        if (reply.kind === 'opened') return reply.facts
        return reply.kind === 'refused' ? reply.failure : undefined
      }),
    read: (scratchName, onProgress) =>
      ask<ReadReply | 'no-room' | SourceFailure>({ kind: 'read', scratchName }, (reply) => {
        if (reply.kind === 'progress') onProgress?.(reply.progress)
        if (reply.kind === 'refused') return reply.failure
        if (reply.kind === 'no-room') return 'no-room'
        return reply.kind === 'read' ? reply : undefined
      }),
    async take(frames, pieces) {
      const read = ask({ kind: 'take', frames }, (reply) => (reply.kind === 'read' ? reply : undefined))
      // Where a piece fails, nobody waits for it.
      read.catch(() => {})
      for await (const channels of pieces) {
        signal?.throwIfAborted()
        const request: DecodeRequest = { kind: 'piece', channels }
        worker.postMessage(
          request,
          channels.map((samples) => samples.buffer),
        )
      }
      return read
    },
    dispose: () => worker.terminate(),
  }
}
