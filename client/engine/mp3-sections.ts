import { parseGaplessInfo } from './mp3-gapless.ts'
import type { Mp3Format, Mp3Packets } from './mp3-packets.ts'
import type { FileSection, SectionLayout } from './section-layout.ts'

/**
 * The length of a section in seconds: short enough for the page to copy the section's samples in one or two milliseconds, and long compared
 * with the warm-up.
 */
const SECTION_SECONDS = 6
/**
 * The number of packets before the first correctly decoded packet whose data must be complete: the filter bank needs the previous 480
 * samples, and each half of a packet overlaps with the half before it (ISO/IEC 11172-3, 2.4.3.4.9 and 2.4.3.4.10); in MPEG-2 a packet has
 * 576 samples.
 */
const SETTLING_PACKET_COUNT = 3

/**
 * Splits an MP3 file into sections that decode to exactly the samples of the whole file. Returns undefined if the info packet announces a
 * different number of packets, or if the file is too short for two sections.
 */
export function splitMp3(
  fileBytes: Uint8Array,
  { format, packetStarts }: Mp3Packets,
  sectionSeconds = SECTION_SECONDS,
): SectionLayout | undefined {
  const { sampleRate, channels, framesPerPacket } = format
  const packetCount = packetStarts.length - 1
  const sectionCount = Math.floor((packetCount * framesPerPacket) / (sectionSeconds * sampleRate))
  if (sectionCount < 2) return undefined
  // Skips the info packet, which decodes to no samples.
  const gaplessInfo = parseGaplessInfo(fileBytes.slice(packetStarts[0], packetStarts[1]), framesPerPacket)
  const infoPacketCount = gaplessInfo === undefined ? 0 : 1
  if (gaplessInfo !== undefined && gaplessInfo.packetCount !== packetCount - infoPacketCount) return undefined
  const delayFrames = infoPacketCount * framesPerPacket + (gaplessInfo?.skipFrames ?? 0)
  const frameCount = Math.min(gaplessInfo?.frames ?? Number.POSITIVE_INFINITY, packetCount * framesPerPacket - delayFrames)

  const findPacketStart = (packetIndex: number) => packetStarts[packetIndex] ?? 0
  const fileSections = Array.from({ length: sectionCount }, (_, index): FileSection => {
    const [startPacket, endPacket] = [
      Math.round((index * packetCount) / sectionCount),
      Math.round(((index + 1) * packetCount) / sectionCount),
    ]
    const endFrame = Math.min(frameCount, endPacket * framesPerPacket - delayFrames)
    if (index === 0) return { startByte: 0, endByte: findPacketStart(endPacket), frames: endFrame, warmUpFrames: 0, ownFrames: endFrame }
    const firstPacket = Math.max(infoPacketCount, findWarmUpStart(format, packetStarts, startPacket))
    return {
      startByte: findPacketStart(firstPacket),
      endByte: findPacketStart(endPacket),
      frames: (endPacket - firstPacket) * framesPerPacket,
      warmUpFrames: (startPacket - firstPacket) * framesPerPacket,
      ownFrames: endFrame - (startPacket * framesPerPacket - delayFrames),
    }
  })
  // The last of the packets that only warm the decoder up already decodes to correct samples.
  return { sampleRate, channels, frames: frameCount, headerBytes: 0, repeatedFrames: framesPerPacket, sections: fileSections }
}

/** Returns the packet from which a decoder must start so that it decodes the packet before `packetIndex` correctly. */
function findWarmUpStart({ minPacketBytes, reservoirBytes }: Mp3Format, packetStarts: readonly number[], packetIndex: number): number {
  let firstPacket = packetIndex - 1 - SETTLING_PACKET_COUNT
  for (let bytes = 0; bytes < reservoirBytes && firstPacket > 0; firstPacket--)
    bytes += (packetStarts[firstPacket] ?? 0) - (packetStarts[firstPacket - 1] ?? 0) - minPacketBytes
  return firstPacket
}
