import type { PacketRun } from './packets.ts'

const HEADER_BYTES = 4
const CHECKSUM_BYTES = 2

/**
 * Silences, in place, the packets of an MP3 file whose data are missing or damaged: decoders make loud clicks of them. These are the packet before
 * missing bytes, and those after them that refer to data before them (`main_data_begin`; ISO/IEC 11172-3, 2.4.2.7).
 *
 * @param file the bytes of the whole file
 */
export function silenceDamagedPackets(file: Uint8Array, { header, starts, sizes, afterDamage }: PacketRun): void {
  const isMpeg1 = header.frames === 1152
  const sideBytes = isMpeg1 ? (header.channels === 1 ? 17 : 32) : header.channels === 1 ? 9 : 17
  for (const first of afterDamage) {
    silence(first - 1)
    let availableBytes = 0
    for (let index = first; index < starts.length; index++) {
      const [start = 0, size = 0] = [starts[index], sizes[index]]
      const side = start + sideOffset(start)
      const dataBegin = isMpeg1 ? ((file[side] ?? 0) << 1) | ((file[side + 1] ?? 0) >> 7) : (file[side] ?? 0)
      if (dataBegin <= availableBytes) break
      silence(index)
      availableBytes += Math.max(0, size - sideOffset(start) - sideBytes)
    }
  }

  /** The protection bit is 0 if a checksum follows the header. */
  function sideOffset(start: number): number {
    return HEADER_BYTES + (((file[start + 1] ?? 0) & 1) === 0 ? CHECKSUM_BYTES : 0)
  }

  /** Sets the lengths of all granules to 0, and removes the checksum. The packet's data stay, because later packets refer to them. */
  function silence(index: number): void {
    const start = starts[index]
    if (start === undefined) return
    const end = start + sideOffset(start) + sideBytes
    file[start + 1] = (file[start + 1] ?? 0) | 1
    file.fill(0, start + HEADER_BYTES, end)
  }
}
