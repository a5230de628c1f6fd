import { createWorkerClient, startWorker } from '../worker-client.ts'
import aacWorkerUrl from '../workers/aac-worker.ts?worker&url'
import type { AacCalls, AacPackets, AacRequest } from '../workers/calls.ts'
import { createPieceCutter, createPieceJoiner } from './aac-pieces.ts'
import { VIDEO_SAMPLE_RATE } from './video-timing.ts'

/** Encodes a sound of two channels in pieces, in several workers. Packets are delivered in order. */
export interface AacEncoder {
  /** The decoder configuration of the packets: an AudioSpecificConfig (ISO/IEC 14496-3, 1.6.2.1). */
  readonly description: Uint8Array<ArrayBuffer>
  /** Adds interleaved samples. Resolves when more samples can be added. */
  add(samples: Float32Array<ArrayBuffer>): Promise<void>
  /** Resolves when all packets have been delivered. */
  finish(): Promise<void>
}

/** The bit rate that video platforms recommend for stereo. */
const BITS_PER_SECOND = 384_000
const MAX_WORKERS = 4

/** @param deliverPackets receives the packets in order @param signal terminates the workers */
export async function createAacEncoder(deliverPackets: (packets: AacPackets) => Promise<void>, signal: AbortSignal): Promise<AacEncoder> {
  const { workers, description } = await openWorkers(signal)
  const pieceJoiner = createPieceJoiner()
  let startedPieceCount = 0
  let lastDelivery: Promise<void> = Promise.resolve()
  const runningDeliveries = new Set<Promise<void>>()

  const pieceCutter = createPieceCutter(async (request: AacRequest) => {
    const aacWorker = workers[startedPieceCount++ % workers.length]
    if (aacWorker === undefined) return
    const encodedPackets = aacWorker.call('encode', request, { transfer: [request.samples.buffer] })
    encodedPackets.catch(() => {})
    const deliveryPromise = lastDelivery.then(async () => deliverPackets(pieceJoiner.join(await encodedPackets)))
    lastDelivery = deliveryPromise
    runningDeliveries.add(deliveryPromise)
    deliveryPromise.catch(() => {}).finally(() => runningDeliveries.delete(deliveryPromise))
    while (runningDeliveries.size > workers.length) await Promise.race(runningDeliveries)
  })
  return {
    description,
    add: (samples) => pieceCutter.add(samples),
    async finish() {
      await pieceCutter.finish()
      await lastDelivery
      await deliverPackets(pieceJoiner.finish())
    },
  }
}

/** Opens up to MAX_WORKERS encoders. Those that cannot be opened are left out, as long as there is one. */
async function openWorkers(signal: AbortSignal) {
  const workerCount = Math.max(1, Math.min(MAX_WORKERS, navigator.hardwareConcurrency || 1))
  const openRequest = { sampleRate: VIDEO_SAMPLE_RATE, bitsPerSecond: BITS_PER_SECOND }
  const openResults = await Promise.allSettled(
    Array.from({ length: workerCount }, async () => {
      const worker = createWorkerClient<AacCalls>(startWorker(aacWorkerUrl), signal)
      return { worker, ...(await worker.call('open', openRequest)) }
    }),
  )
  const openedWorkers = openResults.flatMap((opening) => (opening.status === 'fulfilled' ? [opening.value] : []))
  const [first] = openedWorkers
  if (first === undefined) throw openResults.find((opening) => opening.status === 'rejected')?.reason
  return { workers: openedWorkers.map(({ worker }) => worker), description: first.description }
}
