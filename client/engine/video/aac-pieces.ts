import type { AacPackets, AacRequest } from '../workers/calls.ts'
import { AAC_PACKET_FRAMES } from './video-timing.ts'

/** The number of samples in a packet of two channels. */
const PACKET_SAMPLES = 2 * AAC_PACKET_FRAMES
/** The number of packets of a piece. */
const PACKETS_PER_PIECE = 256
/**
 * The number of packets that two successive pieces have in common. The joined file switches from one piece to the next after one of these
 * packets.
 */
const OVERLAP_PACKET_COUNT = 4
/**
 * The number of packets encoded before the overlap, so that the encoder adapts to the sound. A packet's windows depend on the two previous
 * packets.
 */
const SETTLING_PACKET_COUNT = 4
const WARM_UP_PACKET_COUNT = SETTLING_PACKET_COUNT + OVERLAP_PACKET_COUNT
/** The number of packets after a piece on which its last packet depends: packet n also contains samples of packet n + 1. */
const LOOKAHEAD_PACKET_COUNT = 2

/** Cuts a sound into pieces that are encoded apart from each other. The samples before and after the sound are silence. */
export function createPieceCutter(encodePiece: (request: AacRequest) => Promise<void>) {
  let pieceSamples = new Float32Array((WARM_UP_PACKET_COUNT + PACKETS_PER_PIECE + LOOKAHEAD_PACKET_COUNT) * PACKET_SAMPLES)
  let filledSampleCount = WARM_UP_PACKET_COUNT * PACKET_SAMPLES

  return {
    /** Adds samples to the sound. @param addedSamples interleaved samples of two channels */
    async add(addedSamples: Float32Array): Promise<void> {
      for (let copiedSampleCount = 0; copiedSampleCount < addedSamples.length; ) {
        const addedPart = addedSamples.subarray(copiedSampleCount, copiedSampleCount + pieceSamples.length - filledSampleCount)
        pieceSamples.set(addedPart, filledSampleCount)
        filledSampleCount += addedPart.length
        copiedSampleCount += addedPart.length
        if (filledSampleCount < pieceSamples.length) return
        const nextPieceSamples = new Float32Array(pieceSamples.length)
        nextPieceSamples.set(pieceSamples.subarray(PACKETS_PER_PIECE * PACKET_SAMPLES))
        filledSampleCount -= PACKETS_PER_PIECE * PACKET_SAMPLES
        const piece = pieceSamples
        pieceSamples = nextPieceSamples
        await encodePiece({ samples: piece, firstPacket: SETTLING_PACKET_COUNT, packets: OVERLAP_PACKET_COUNT + PACKETS_PER_PIECE })
      }
    },
    /** Encodes the remaining samples, and the additional packet that the encoder's delay causes. */
    async finish(): Promise<void> {
      const remainingPacketCount = Math.ceil(filledSampleCount / PACKET_SAMPLES) - WARM_UP_PACKET_COUNT
      const rest = new Float32Array((WARM_UP_PACKET_COUNT + remainingPacketCount + LOOKAHEAD_PACKET_COUNT) * PACKET_SAMPLES)
      rest.set(pieceSamples.subarray(0, filledSampleCount))
      await encodePiece({ samples: rest, firstPacket: SETTLING_PACKET_COUNT, packets: OVERLAP_PACKET_COUNT + remainingPacketCount + 1 })
    },
  }
}

/** Joins the packets of successive pieces, each of which begins with the last packets of the piece before. */
export function createPieceJoiner() {
  let overlapPackets: readonly Uint8Array[] | undefined

  return {
    /** Adds the packets of a piece. Returns the packets up to the overlap with the next piece. */
    join(aacPiece: AacPackets): AacPackets {
      const piecePackets = splitPackets(aacPiece)
      const seamPacketIndex = overlapPackets === undefined ? OVERLAP_PACKET_COUNT : findSeam(overlapPackets, piecePackets)
      const joined = [...(overlapPackets?.slice(0, seamPacketIndex) ?? []), ...piecePackets.slice(seamPacketIndex)]
      overlapPackets = joined.slice(-OVERLAP_PACKET_COUNT)
      return joinPackets(joined.slice(0, -OVERLAP_PACKET_COUNT))
    },
    /** Returns the last packets. */
    finish: (): AacPackets => joinPackets(overlapPackets ?? []),
  }
}

/**
 * Returns how many packets of the overlap are taken from the previous piece. The halves of the windows of two packets in succession cancel
 * each other's aliases, so the last packet taken from the previous piece must have the same window in both pieces. A packet whose channels
 * share one window is preferred.
 */
export function findSeam(packetsBefore: readonly Uint8Array[], packetsAfter: readonly Uint8Array[]): number {
  const packetWindows = packetsBefore.map((packet, index) => {
    const window = readWindow(packet)
    const other = readWindow(packetsAfter[index] ?? new Uint8Array())
    return { isEqual: window.bits === other.bits && window.isCommon === other.isCommon, isCommon: window.isCommon }
  })
  const common = packetWindows.findLastIndex(({ isEqual, isCommon }) => isEqual && isCommon)
  const equal = packetWindows.findLastIndex(({ isEqual }) => isEqual)
  return (common >= 0 ? common : equal >= 0 ? equal : packetsBefore.length - 1) + 1
}

/**
 * Reads the sequence and the shape of the first window. They are 3 bits after the element's id and tag and, in a channel pair, after
 * the flag common_window and a reserved bit (ISO/IEC 14496-3, tables 4.4 to 4.6). Without a common window, the bits are in the data of the left
 * channel, after its gain.
 */
function readWindow(packetBytes: Uint8Array) {
  const isCommon = ((packetBytes[0] ?? 0) & 1) === 1
  const bits = ((packetBytes[1] ?? 0) << 8) | (packetBytes[2] ?? 0)
  return { isCommon, bits: isCommon ? (bits >> 12) & 7 : (bits >> 4) & 7 }
}

export function joinPackets(packetList: readonly Uint8Array[]): AacPackets {
  const packetSizes = packetList.map(({ length }) => length)
  const joinedBytes = new Uint8Array(packetSizes.reduce((total, size) => total + size, 0))
  let writeOffset = 0
  for (const packet of packetList) {
    joinedBytes.set(packet, writeOffset)
    writeOffset += packet.length
  }
  return { bytes: joinedBytes, sizes: packetSizes }
}

export function splitPackets({ bytes, sizes }: AacPackets): Uint8Array<ArrayBuffer>[] {
  let packetEndOffset = 0
  return sizes.map((packetSize) => {
    packetEndOffset += packetSize
    return bytes.subarray(packetEndOffset - packetSize, packetEndOffset)
  })
}
