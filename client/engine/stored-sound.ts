import { createArrayPool } from './array-pool.ts'
import type { ScratchFile } from './scratch.ts'
import type { Sound } from './sound.ts'
import { createWorkerClient, startWorker } from './worker-client.ts'
import type { StoredSoundCalls } from './workers/calls.ts'
import storedSoundWorkerUrl from './workers/stored-sound-worker.ts?worker&url'

/**
 * Opens a sound whose samples are in a scratch file: interleaved 32-bit floats in the byte order of the processor. A worker reads the
 * samples: the page could only read the file as Blobs, which would occupy hundreds of megabytes until they are garbage-collected. Disposing
 * the sound removes the file.
 *
 * @throws DOMException if the file cannot be opened
 */
export async function openStoredSound(
  scratch: ScratchFile,
  { sampleRate, channels, frames }: Pick<Sound, 'sampleRate' | 'channels' | 'frames'>,
): Promise<Sound> {
  const soundWorker = createWorkerClient<StoredSoundCalls>(startWorker(storedSoundWorkerUrl))
  const arrayPool = createArrayPool()
  try {
    await soundWorker.call('open', { scratchName: scratch.name, channels })
  } catch (error) {
    soundWorker.terminate()
    throw error
  }
  return {
    sampleRate,
    channels,
    frames,
    async read(startFrame, targets) {
      const requestedFrameCount = targets[0]?.length ?? 0
      if (startFrame < 0 || startFrame + requestedFrameCount > frames)
        throw new RangeError(`frame ${startFrame} and the following are not all within the sound`)
      const readRequest = { startFrame, channels: targets.map(() => arrayPool.take(requestedFrameCount)) }
      const response = await soundWorker.call('read', readRequest, { transfer: readRequest.channels.map(({ buffer }) => buffer) })
      for (const [channel, samples] of response.channels.entries()) targets[channel]?.set(samples)
      arrayPool.add(response.channels)
    },
    dispose() {
      // Terminates the worker first, because a file that it has open cannot be removed.
      soundWorker.terminate()
      void scratch.dispose()
    },
  }
}
