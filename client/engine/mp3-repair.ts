import { type ByteSource, createArraySource } from '../../dsp/byte-source.ts'
import { createSilentPackets } from '../../dsp/damaged-packets.ts'
import { type PacketRun, scanPackets } from '../../dsp/packets.ts'
import { type GaplessInfo, parseGaplessInfo, withPacketCount } from './mp3-gapless.ts'
import { type Mp3Packets, parseMp3Format } from './mp3-packets.ts'
import { joinPartsAsBytes, listPacketParts } from './packet-parts.ts'

/**
 * Finds the packets of an MP3 file, and returns a file that contains only packets. Returns undefined if there are no packets or if the
 * format changes between packets.
 */
export async function findPackets(
  fileBytes: Uint8Array<ArrayBuffer>,
  startByte: number,
): Promise<{ readonly bytes: Uint8Array<ArrayBuffer>; readonly packets: Mp3Packets } | undefined> {
  const byteSource = createArraySource(fileBytes)
  const { runs } = await scanPackets(byteSource, startByte, 'mp3')
  const [firstRun] = runs
  const mp3Format = firstRun && parseMp3Format(fileBytes, firstRun.starts[0] ?? 0)
  if (firstRun === undefined || mp3Format === undefined || runs.length > 1) return undefined
  const bytes = joinPartsAsBytes(fileBytes, listPacketParts(firstRun, (await repairMp3(byteSource, firstRun)).changedPackets))
  const packetStarts = [0]
  for (const size of firstRun.sizes) packetStarts.push((packetStarts.at(-1) ?? 0) + size)
  return { bytes, packets: { format: mp3Format, packetStarts } }
}

export interface Mp3Repair {
  /** The packets that must be replaced, by their index. */
  readonly changedPackets: ReadonlyMap<number, Uint8Array<ArrayBuffer>>
  /** The content of the info packet as it is in the file; undefined if the first packet is audio. */
  readonly gapless: GaplessInfo | undefined
}

/**
 * Silences damaged packets, and corrects the number of packets in the info packet: in a file joined from several, the info packet states
 * the number of packets of the first of them.
 */
export async function repairMp3(source: ByteSource, run: PacketRun): Promise<Mp3Repair> {
  const changedPackets = await createSilentPackets(source, run)
  const infoStart = run.starts[0] ?? 0
  const infoPacket = (await source.read(infoStart, infoStart + (run.sizes[0] ?? 0))).slice()
  const gaplessInfo = parseGaplessInfo(infoPacket, run.header.frames)
  const packetCount = run.starts.length - 1
  if (gaplessInfo?.packetCount !== undefined && gaplessInfo.packetCount !== packetCount)
    changedPackets.set(0, withPacketCount(infoPacket, packetCount))
  return { changedPackets, gapless: gaplessInfo }
}
