import { countMp3Frames, MP3_PACKET_FRAMES } from './mp3-info.ts'
import type { Mp3PieceRequest } from './workers/calls.ts'

/**
 * The number of packets in a piece, 6.4 s at 44.1 kHz. The sizes of packets repeat after 49 packets; a piece has 5 times as many, so that
 * it has the same size as the same packets from a single encoder.
 */
const PACKETS_PER_PIECE = 245
/**
 * The number of packets that an encoder writes, and that are dropped, before the packets of its piece. After them, the state of the encoder
 * depends on the sound only.
 */
const WARM_UP_PACKET_COUNT = 10
/** The number of packets after a piece whose samples the encoder needs. */
const LOOK_AHEAD_PACKET_COUNT = 1

/** A piece of an MP3 file. It does not depend on the number of encoders. */
export interface Mp3Piece extends Pick<Mp3PieceRequest, 'warmUpPackets' | 'packets' | 'isLast'> {
  /** The frames (end excluded) that the encoder needs. */
  readonly startFrame: number
  readonly endFrame: number
}

/** Divides `frameCount` frames into pieces that are encoded separately. The last one is up to twice as long as the others. */
export function planPieces(frameCount: number): readonly Mp3Piece[] {
  const packetCount = countMp3Frames({ frames: frameCount })
  const pieceCount = Math.max(1, Math.floor(packetCount / PACKETS_PER_PIECE))
  return Array.from({ length: pieceCount }, (_, index) => {
    const isLast = index === pieceCount - 1
    const firstPacket = index * PACKETS_PER_PIECE
    const endPacket = isLast ? packetCount : firstPacket + PACKETS_PER_PIECE
    const warmUpPackets = Math.min(firstPacket, WARM_UP_PACKET_COUNT)
    return {
      warmUpPackets,
      packets: endPacket - firstPacket,
      isLast,
      startFrame: (firstPacket - warmUpPackets) * MP3_PACKET_FRAMES,
      endFrame: isLast ? frameCount : (endPacket + LOOK_AHEAD_PACKET_COUNT) * MP3_PACKET_FRAMES,
    }
  })
}

/** Collects consecutive segments of a sound into the samples of pieces, which overlap. */
export function createPieceCollector(pieces: readonly Mp3Piece[], channelCount: number) {
  const samplesByPiece = new Map<Mp3Piece, Float32Array<ArrayBuffer>[]>()
  return {
    /** Adds a segment, and returns the pieces that it completes. */
    add(
      segmentChannels: readonly Float32Array[],
      firstFrame: number,
    ): { piece: Mp3Piece; samples: readonly Float32Array<ArrayBuffer>[] }[] {
      const endFrame = firstFrame + (segmentChannels[0]?.length ?? 0)
      return pieces
        .filter((piece) => piece.startFrame < endFrame && piece.endFrame > firstFrame)
        .flatMap((piece) => {
          const pieceFrames = piece.endFrame - piece.startFrame
          const pieceSamples = samplesByPiece.get(piece) ?? Array.from({ length: channelCount }, () => new Float32Array(pieceFrames))
          const [fromFrame, toFrame] = [Math.max(piece.startFrame, firstFrame), Math.min(piece.endFrame, endFrame)]
          segmentChannels.forEach((channelSamples, channel) => {
            pieceSamples[channel]?.set(channelSamples.subarray(fromFrame - firstFrame, toFrame - firstFrame), fromFrame - piece.startFrame)
          })
          if (toFrame === piece.endFrame) samplesByPiece.delete(piece)
          else samplesByPiece.set(piece, pieceSamples)
          return toFrame === piece.endFrame ? [{ piece, samples: pieceSamples }] : []
        })
    },
  }
}
