import { createWorkerClient, startWorker } from './worker-client.ts'
import type { Channels, DecodeCalls } from './workers/calls.ts'
import decodeWorkerUrl from './workers/decode-worker.ts?worker&url'

export const startDecodeWorker = () => startWorker(decodeWorkerUrl)

/** Decodes one file in `decodeWorker`. @param signal cancels the call in progress, which rejects with the signal's reason */
export function createDecodeClient(decodeWorker: Worker, signal?: AbortSignal) {
  const decodeWorkerClient = createWorkerClient<DecodeCalls>(decodeWorker)
  return {
    async open(blob: Blob) {
      const response = await decodeWorkerClient.call('open', { blob }, { signal })
      return response.kind === 'opened' ? response : response.failure
    },
    /**
     * Reads all samples of the opened file.
     *
     * @param scratchName scratch file that the samples are written to; without it they are returned
     */
    async read(scratchName: string | undefined, onProgress?: (progress: number) => void) {
      const response = await decodeWorkerClient.call('read', { scratchName }, { signal, onProgress })
      if (response.kind === 'refused') return response.failure
      return response.kind === 'no-room' ? 'no-room' : response
    },
    /**
     * Mixes down, amplifies and measures samples that the page has decoded. Rejects with the error of `chunks`, and can be called again after that.
     *
     * @param sampleGain the factor that is applied to all samples
     * @param chunks the samples in consecutive chunks, whose arrays are moved to the worker
     */
    async measure(sampleGain: number, chunks: AsyncIterable<Channels>) {
      // The browser decodes the next chunk while the worker processes the current one.
      let lastChunkPromise = decodeWorkerClient.call('startSamples', { gain: sampleGain }, { signal })
      // Marks the rejection as handled: if `chunks` throws, `lastChunkPromise` is never awaited.
      lastChunkPromise.catch(() => {})
      for await (const chunkChannels of chunks) {
        await lastChunkPromise
        lastChunkPromise = decodeWorkerClient.call(
          'addSamples',
          { channels: chunkChannels },
          { signal, transfer: chunkChannels.map(({ buffer }) => buffer) },
        )
        lastChunkPromise.catch(() => {})
      }
      await lastChunkPromise
      return decodeWorkerClient.call('finishSamples', undefined, { signal })
    },
    dispose: decodeWorkerClient.terminate,
  }
}

export type DecodeClient = ReturnType<typeof createDecodeClient>
