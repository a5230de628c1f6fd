import type { ByteSource } from './byte-source.ts'
import type { PacketRun } from './packets.ts'

const PACKET_HEADER_BYTES = 4
const CHECKSUM_BYTES = 2

/**
 * Returns silent packets to replace the packets of an MP3 file whose data are missing or damaged, by the index of the packet: decoders turn
 * such packets into loud clicks. The replaced packets are the packet before damaged bytes, because the damage may begin inside it, and the
 * packets after the damage that refer to data before it (`main_data_begin`; ISO/IEC 11172-3, 2.4.2.7).
 */
export async function createSilentPackets(
  source: ByteSource,
  { header, starts, sizes, afterDamage }: PacketRun,
): Promise<Map<number, Uint8Array<ArrayBuffer>>> {
  const isMpeg1 = header.frames === 1152
  const sideInfoBytes = isMpeg1 ? (header.channels === 1 ? 17 : 32) : header.channels === 1 ? 9 : 17
  const silentPacketByIndex = new Map<number, Uint8Array<ArrayBuffer>>()
  for (const firstPacketIndex of afterDamage) {
    if (firstPacketIndex > 0) silencePacket(firstPacketIndex - 1, await readPacket(firstPacketIndex - 1))
    let availableBytes = 0
    for (let packetIndex = firstPacketIndex; packetIndex < starts.length; packetIndex++) {
      const packetBytes = await readPacket(packetIndex)
      const sideInfoStart = findSideInfoOffset(packetBytes)
      const mainDataBegin = isMpeg1
        ? ((packetBytes[sideInfoStart] ?? 0) << 1) | ((packetBytes[sideInfoStart + 1] ?? 0) >> 7)
        : (packetBytes[sideInfoStart] ?? 0)
      if (mainDataBegin <= availableBytes) break
      silencePacket(packetIndex, packetBytes)
      availableBytes += Math.max(0, packetBytes.length - sideInfoStart - sideInfoBytes)
    }
  }
  return silentPacketByIndex

  async function readPacket(packetIndex: number): Promise<Uint8Array<ArrayBuffer>> {
    const start = starts[packetIndex] ?? 0
    return source.read(start, start + (sizes[packetIndex] ?? 0))
  }

  /** The protection bit is 0 if a checksum follows the header. */
  function findSideInfoOffset(packet: Uint8Array): number {
    return PACKET_HEADER_BYTES + (((packet[1] ?? 0) & 1) === 0 ? CHECKSUM_BYTES : 0)
  }

  /**
   * Sets the lengths of all granules to 0, and removes the checksum. The data in the packet stay, because later packets may refer to them.
   */
  function silencePacket(packetIndex: number, packetBytes: Uint8Array<ArrayBuffer>): void {
    const changedPacket = packetBytes.slice()
    const end = findSideInfoOffset(packetBytes) + sideInfoBytes
    changedPacket[1] = (packetBytes[1] ?? 0) | 1
    silentPacketByIndex.set(packetIndex, changedPacket.fill(0, PACKET_HEADER_BYTES, end))
  }
}
