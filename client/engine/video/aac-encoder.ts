import { createWorkerClient, startWorker } from '../worker-client.ts'
import aacWorkerUrl from '../workers/aac-worker.ts?worker&url'
import type { AacCalls, AacPackets, AacResponse } from '../workers/calls.ts'
import { AAC_PACKET_FRAMES, VIDEO_SAMPLE_RATE } from './video-timing.ts'

/** The number of samples in a frame of two channels. */
const FRAME_SAMPLES = 2 * AAC_PACKET_FRAMES
/**
 * The number of packets before a piece that are encoded with the piece and dropped, so that the encoder reaches the state that it would
 * have if it encoded the whole sound.
 */
const WARM_UP_PACKETS = 4
/** The larger number of such packets that is tried if the windows of two neighbouring pieces do not fit each other. */
const LONG_WARM_UP_PACKETS = 64
/** The number of packets after a piece on whose samples the last packets of the piece depend. */
const LOOKAHEAD_PACKETS = 2

/** Encodes a sound of two channels in pieces, in several workers. Packets are delivered in order. */
export interface AacEncoder {
  /** The AudioSpecificConfig. */
  readonly description: Uint8Array<ArrayBuffer>
  /** Adds interleaved samples. Every call except the last must add whole packets. Resolves when more samples can be added. */
  add(samples: Float32Array<ArrayBuffer>): Promise<void>
  /** Resolves when all packets have been delivered. */
  finish(): Promise<void>
}

interface Piece {
  readonly samples: Float32Array<ArrayBuffer>
  /** The samples before the piece. */
  readonly before: Float32Array<ArrayBuffer>
}

/** The bit rate that video platforms recommend for stereo. */
const BITS_PER_SECOND = 384_000
const MAX_WORKERS = 4

/** @param deliver receives the packets in order @param signal terminates the workers */
export async function createAacEncoder(deliver: (packets: AacPackets) => Promise<void>, signal: AbortSignal): Promise<AacEncoder> {
  const workerCount = Math.max(1, Math.min(MAX_WORKERS, navigator.hardwareConcurrency || 1))
  const workers = Array.from({ length: workerCount }, () => createWorkerClient<AacCalls>(startWorker(aacWorkerUrl), signal))
  const request = { sampleRate: VIDEO_SAMPLE_RATE, bitsPerSecond: BITS_PER_SECOND }
  const [opened] = await Promise.all(workers.map((worker) => worker.call('open', request)))
  if (opened === undefined) throw new RangeError('no worker for the sound')
  let pieceCount = 0
  let pending: Piece | undefined
  let lastWindow: number | undefined
  let delivered: Promise<void> = Promise.resolve()
  const running = new Set<Promise<void>>()

  function encode({ samples, before }: Piece, after: Float32Array, isLast: boolean) {
    const worker = workers[pieceCount++ % workers.length]
    if (worker === undefined) return
    const bodyPackets = Math.ceil(samples.length / FRAME_SAMPLES)
    const call = (warmUp: number): Promise<AacResponse> => {
      const warmUpPackets = Math.min(warmUp, before.length / FRAME_SAMPLES)
      const all = new Float32Array((warmUpPackets + bodyPackets + (isLast ? 0 : LOOKAHEAD_PACKETS)) * FRAME_SAMPLES)
      all.set(before.subarray(before.length - warmUpPackets * FRAME_SAMPLES))
      all.set(samples, warmUpPackets * FRAME_SAMPLES)
      if (!isLast) all.set(after.subarray(0, LOOKAHEAD_PACKETS * FRAME_SAMPLES), (warmUpPackets + bodyPackets) * FRAME_SAMPLES)
      // The encoder's delay adds one packet at the end.
      const request = { samples: all, warmUpPackets, packets: bodyPackets + (isLast ? 1 : 0) }
      return worker.call('encode', request, { transfer: [all.buffer] })
    }
    const encoded = call(WARM_UP_PACKETS)
    encoded.catch(() => {})
    const done = delivered.then(async () => {
      let response = await encoded
      if (lastWindow !== undefined && response.windowBefore !== lastWindow) response = await call(LONG_WARM_UP_PACKETS)
      lastWindow = response.lastWindow
      await deliver(response.packets)
    })
    delivered = done
    running.add(done)
    done.catch(() => {}).finally(() => running.delete(done))
  }

  return {
    description: opened.description,
    async add(samples) {
      if (pending !== undefined) encode(pending, samples, false)
      const beforeSamples = LONG_WARM_UP_PACKETS * FRAME_SAMPLES
      pending = { samples, before: pending?.samples.slice(-beforeSamples) ?? new Float32Array() }
      while (running.size > workers.length) await Promise.race(running)
    },
    async finish() {
      if (pending !== undefined) encode(pending, new Float32Array(), true)
      pending = undefined
      await delivered
    },
  }
}
