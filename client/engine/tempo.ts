import { createSlices } from './slices.ts'
import type { Sound } from './sound.ts'
import type { TempoReply, TempoRequest } from './tempo-messages.ts'

/** A minute from the middle tells the tempo; beginnings are often without a beat. */
const EXCERPT_S = 60
/** Enough to hear drums by. */
const NEAR_RATE = 22_050
const READ_FRAMES = 2 ** 15

/**
 * Beats per minute, 70 to 180: the tempo or an octave of it, by the music of the middle. Undefined where there is no beat.
 * Works in a worker of its own. Rejects with the signal's reason, and with what the sound's `read` throws.
 */
export async function detectTempo(sound: Sound, signal?: AbortSignal): Promise<number | undefined> {
  const request = await excerptOf(sound, signal)
  signal?.throwIfAborted()
  const worker = new Worker(new URL('./tempo-worker.ts', import.meta.url), { type: 'module' })
  try {
    return await new Promise((resolve, reject) => {
      const end = () => {
        // At once: a promise would be told a moment later.
        worker.terminate()
        reject(signal?.reason)
      }
      signal?.addEventListener('abort', end, { once: true })
      worker.onerror = (event) => {
        event.preventDefault()
        resolve(undefined)
      }
      worker.onmessage = ({ data }: MessageEvent<TempoReply>) => resolve(data.bpm)
      worker.postMessage(request, [request.samples.buffer])
    })
  } finally {
    worker.terminate()
  }
}

/** The middle in one channel, each few frames averaged into one; in slices, as this is on the page. */
async function excerptOf(sound: Sound, signal?: AbortSignal): Promise<TempoRequest> {
  const factor = Math.max(1, Math.round(sound.sampleRate / NEAR_RATE))
  const frames = Math.min(sound.frames, EXCERPT_S * sound.sampleRate)
  const start = Math.floor((sound.frames - frames) / 2)
  const samples = new Float32Array(Math.floor(frames / factor))
  const pieceFrames = READ_FRAMES - (READ_FRAMES % factor)
  const rest = createSlices()
  for (let done = 0; done < samples.length * factor; done += pieceFrames) {
    const count = Math.min(pieceFrames, samples.length * factor - done)
    const piece = Array.from({ length: sound.channels }, () => new Float32Array(count))
    await sound.read(start + done, piece)
    for (const channel of piece) addDecimated(channel, factor, samples.subarray(done / factor))
    await rest()
    signal?.throwIfAborted()
  }
  return { samples, sampleRate: sound.sampleRate / factor }
}

function addDecimated(channel: Float32Array, factor: number, into: Float32Array) {
  for (let frame = 0; frame * factor < channel.length; frame++) {
    let sum = 0
    for (let offset = 0; offset < factor; offset++) sum += channel[frame * factor + offset] ?? 0
    into[frame] = (into[frame] ?? 0) + sum / factor
  }
}
