import fc from 'fast-check'
import { expect, it } from 'vitest'
import { countMp3Frames, MP3_PACKET_FRAMES } from './mp3-info.ts'
import { createPieceCollector, planPieces } from './mp3-pieces.ts'

const anyFrameCount = fc.oneof(
  fc.integer({ min: 1, max: 2_000_000 }),
  fc.constantFrom(1, 1151, 1152, 245 * 1152, 490 * 1152 - 600, 490 * 1152),
)

it('pieces: each packet is in exactly one piece; a piece has the samples of its packets and of the warm-up before them', () => {
  fc.assert(
    fc.property(anyFrameCount, (frameCount) => {
      const pieces = planPieces(frameCount)
      let packetIndex = 0
      for (const [index, { warmUpPackets, packets, isLast, startFrame, endFrame }] of pieces.entries()) {
        expect(isLast).toBe(index === pieces.length - 1)
        expect(warmUpPackets).toBe(index === 0 ? 0 : 10)
        expect(startFrame).toBe((packetIndex - warmUpPackets) * MP3_PACKET_FRAMES)
        packetIndex += packets
        expect(endFrame).toBe(isLast ? frameCount : (packetIndex + 1) * MP3_PACKET_FRAMES)
        expect(endFrame).toBeLessThanOrEqual(frameCount)
      }
      expect(packetIndex).toBe(countMp3Frames({ frames: frameCount }))
    }),
  )
})

it('pieces: the samples of pieces are collected from consecutive segments of any length', () => {
  fc.assert(
    fc.property(anyFrameCount, fc.integer({ min: 100_000, max: 600_000 }), (frameCount, segmentFrames) => {
      const pieces = planPieces(frameCount)
      const pieceCollector = createPieceCollector(pieces, 1)
      const completedPieces = []
      for (let firstFrame = 0; firstFrame < frameCount; firstFrame += segmentFrames) {
        const segment = Float32Array.from({ length: Math.min(segmentFrames, frameCount - firstFrame) }, (_, frame) => firstFrame + frame)
        completedPieces.push(...pieceCollector.add([segment], firstFrame))
      }
      expect(completedPieces.map(({ piece }) => piece)).toEqual(pieces)
      for (const { piece, samples } of completedPieces) {
        expect(samples[0]).toHaveLength(piece.endFrame - piece.startFrame)
        expect(samples[0]?.every((sample, frame) => sample === piece.startFrame + frame)).toBe(true)
      }
    }),
    { numRuns: 20 },
  )
})
