import { createEmitter } from '../../primitives/emitter.ts'
import type { ChosenGain } from '../chosen-gain.ts'
import { createRenderPool } from '../render-pool.ts'
import type { AacPackets } from '../workers/calls.ts'
import { createAacEncoder } from './aac-encoder.ts'
import { renderSound, type SoundJob, sendSound } from './video-sound.ts'

/** The properties of a sound that are known before its first packet. */
export interface PreparedSoundInfo extends Omit<ChosenGain, 'gainOf'> {
  readonly frames: number
  /** The decoder configuration of the packets: an AudioSpecificConfig (ISO/IEC 14496-3, 1.6.2.1). */
  readonly description: Uint8Array<ArrayBuffer>
}

/** AAC packets, and the share of the sound that is encoded up to their end. */
export interface PreparedPackets extends AacPackets {
  readonly progress: number
}

/** The sound of a video, which is compressed while the person designs the video, and used by one video after the other. */
export interface PreparedSound {
  /** Whether this is the sound of the video that `job` makes. */
  fits(job: Omit<SoundJob, 'onProgress'>): boolean
  /** Calls `run` with the sound and its packets, which are delivered as they are encoded. An abort rejects the promise at once. */
  use<T>(signal: AbortSignal, run: (sound: PreparedSoundInfo, packets: AsyncIterable<PreparedPackets>) => Promise<T>): Promise<T>
  /** Ends the workers and forgets the packets once no video uses them. */
  dispose(): void
}

/** The length of the longest sound that is prepared, in seconds. The limit exists because the packets, up to 29 MB, stay in memory. */
const MAX_SOUND_LENGTH_S = 600

/** Starts to compress a sound. @returns undefined for a sound that is too long */
export function prepareSound(job: Omit<SoundJob, 'onProgress'>, lengthS: number, workerCount?: number): PreparedSound | undefined {
  if (lengthS > MAX_SOUND_LENGTH_S) return undefined
  const controller = new AbortController()
  const { signal } = controller
  const pool = createRenderPool(workerCount)
  const changeEmitter = createEmitter()
  const encodedPackets: PreparedPackets[] = []
  let soundInfo: PreparedSoundInfo | undefined
  let preparationFailure: { readonly error: unknown } | undefined
  let isPreparationComplete = false
  let consumerCount = 0
  let isSoundDisposed = false
  let progressShare = 0

  // The encoder is opened while the peak is measured.
  const encoderPromise = createAacEncoder(async (packets) => {
    encodedPackets.push({ ...packets, progress: progressShare })
    changeEmitter.emit()
  }, signal)
  encoderPromise.catch(() => {})
  const encodePromise = renderSound(
    pool,
    { ...job, onProgress: (done) => (progressShare = done) },
    signal,
    async (rendering, { gainOf, ...chosenLevels }) => {
      const aacEncoder = await encoderPromise
      soundInfo = { frames: rendering.frames, description: aacEncoder.description, ...chosenLevels }
      changeEmitter.emit()
      await sendSound({ sound: job.sound, onProgress: (done) => (progressShare = done) }, rendering, gainOf, aacEncoder)
    },
  )
  encodePromise
    .then(
      () => {
        isPreparationComplete = true
      },
      (error: unknown) => {
        preparationFailure = { error }
      },
    )
    .finally(() => {
      pool.dispose()
      controller.abort()
      changeEmitter.emit()
    })

  const waitForNextChange = (consumerSignal: AbortSignal) =>
    new Promise<void>((resolve) => {
      const stopWaiting = () => {
        unsubscribe()
        consumerSignal.removeEventListener('abort', stopWaiting)
        resolve()
      }
      const unsubscribe = changeEmitter.subscribe(stopWaiting)
      consumerSignal.addEventListener('abort', stopWaiting)
    })

  /** Waits until `readResult` returns a value, and resolves with it; resolves with `undefined` if the sound is complete. */
  async function waitForResult<T>(readResult: () => T | undefined, consumerSignal: AbortSignal): Promise<T | undefined> {
    for (;;) {
      consumerSignal.throwIfAborted()
      const availableResult = readResult()
      if (availableResult !== undefined || isPreparationComplete) return availableResult
      if (preparationFailure !== undefined) throw preparationFailure.error
      await waitForNextChange(consumerSignal)
    }
  }

  async function* iteratePacketsInOrder(consumerSignal: AbortSignal): AsyncIterable<PreparedPackets> {
    for (let index = 0; ; index++) {
      const packets = await waitForResult(() => encodedPackets[index], consumerSignal)
      if (packets === undefined) return
      yield packets
    }
  }

  function endPreparation() {
    if (!isSoundDisposed || consumerCount > 0) return
    controller.abort(new DOMException('the prepared sound was disposed', 'AbortError'))
    encodedPackets.length = 0
  }

  return {
    fits: ({ sound, settings, output }) =>
      !isSoundDisposed &&
      preparationFailure === undefined &&
      sound === job.sound &&
      settings === job.settings &&
      output.targetLufs === job.output.targetLufs,
    async use(consumerSignal, handleSound) {
      consumerCount++
      try {
        const sound = await waitForResult(() => soundInfo, consumerSignal)
        if (sound === undefined) throw new Error('the sound has no length')
        return await handleSound(sound, iteratePacketsInOrder(consumerSignal))
      } finally {
        consumerCount--
        endPreparation()
      }
    },
    dispose() {
      isSoundDisposed = true
      endPreparation()
    },
  }
}
