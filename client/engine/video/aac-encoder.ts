import { createWorkerClient, startWorker } from '../worker-client.ts'
import aacWorkerUrl from '../workers/aac-worker.ts?worker&url'
import type { AacCalls, AacPackets, AacRequest } from '../workers/calls.ts'
import { createPieceCutter, createPieceJoiner } from './aac-pieces.ts'
import { VIDEO_SAMPLE_RATE } from './video-timing.ts'

/** Encodes a sound of two channels in pieces, in several workers. Packets are delivered in order. */
export interface AacEncoder {
  /** The AudioSpecificConfig. */
  readonly description: Uint8Array<ArrayBuffer>
  /** Adds interleaved samples. Resolves when more samples can be added. */
  add(samples: Float32Array<ArrayBuffer>): Promise<void>
  /** Resolves when all packets have been delivered. */
  finish(): Promise<void>
}

/** The bit rate that video platforms recommend for stereo. */
const BITS_PER_SECOND = 384_000
const MAX_WORKERS = 4

/** @param deliver receives the packets in order @param signal terminates the workers */
export async function createAacEncoder(deliver: (packets: AacPackets) => Promise<void>, signal: AbortSignal): Promise<AacEncoder> {
  const { workers, description } = await openWorkers(signal)
  const joiner = createPieceJoiner()
  let pieceCount = 0
  let lastDelivery: Promise<void> = Promise.resolve()
  const runningDeliveries = new Set<Promise<void>>()

  const cutter = createPieceCutter(async (request: AacRequest) => {
    const worker = workers[pieceCount++ % workers.length]
    if (worker === undefined) return
    const encodedPackets = worker.call('encode', request, { transfer: [request.samples.buffer] })
    encodedPackets.catch(() => {})
    const delivery = lastDelivery.then(async () => deliver(joiner.join(await encodedPackets)))
    lastDelivery = delivery
    runningDeliveries.add(delivery)
    delivery.catch(() => {}).finally(() => runningDeliveries.delete(delivery))
    while (runningDeliveries.size > workers.length) await Promise.race(runningDeliveries)
  })
  return {
    description,
    add: (samples) => cutter.add(samples),
    async finish() {
      await cutter.finish()
      await lastDelivery
      await deliver(joiner.finish())
    },
  }
}

/** Opens up to MAX_WORKERS encoders. Those that cannot be opened are left out, as long as there is one. */
async function openWorkers(signal: AbortSignal) {
  const workerCount = Math.max(1, Math.min(MAX_WORKERS, navigator.hardwareConcurrency || 1))
  const request = { sampleRate: VIDEO_SAMPLE_RATE, bitsPerSecond: BITS_PER_SECOND }
  const openings = await Promise.allSettled(
    Array.from({ length: workerCount }, async () => {
      const worker = createWorkerClient<AacCalls>(startWorker(aacWorkerUrl), signal)
      return { worker, ...(await worker.call('open', request)) }
    }),
  )
  const openedWorkers = openings.flatMap((opening) => (opening.status === 'fulfilled' ? [opening.value] : []))
  const [first] = openedWorkers
  if (first === undefined) throw openings.find((opening) => opening.status === 'rejected')?.reason
  return { workers: openedWorkers.map(({ worker }) => worker), description: first.description }
}
