import { joinBytes } from '../../dsp/byte-source.ts'
import type { PacketRun } from '../../dsp/packets.ts'

/** A range of bytes of the file, or bytes that replace a range of the file. */
export type FilePart = { readonly start: number; readonly end: number } | Uint8Array<ArrayBuffer>

/** Returns the parts of a file that contain the audio packets of `run`, without the tags and other bytes between the packets. */
export function listPacketParts(
  run: PacketRun,
  changedPackets: ReadonlyMap<number, Uint8Array<ArrayBuffer>> = new Map(),
): readonly FilePart[] {
  const fileParts: FilePart[] = []
  let byteRange: { readonly start: number; readonly end: number } | undefined
  const endRange = () => {
    if (byteRange !== undefined) fileParts.push(byteRange)
    byteRange = undefined
  }
  run.starts.forEach((startByte, index) => {
    const endByte = startByte + (run.sizes[index] ?? 0)
    const changedPacket = changedPackets.get(index)
    if (changedPacket !== undefined) {
      endRange()
      fileParts.push(changedPacket)
    } else if (byteRange?.end === startByte) byteRange = { start: byteRange.start, end: endByte }
    else {
      endRange()
      byteRange = { start: startByte, end: endByte }
    }
  })
  endRange()
  return fileParts
}

export const joinPartsAsBlob = (blob: Blob, fileParts: readonly FilePart[]): Blob =>
  new Blob(fileParts.map((part) => ('start' in part ? blob.slice(part.start, part.end) : part)))

/** Returns the bytes of the parts. They are not copied if they are one range of the file. */
export function joinPartsAsBytes(fileBytes: Uint8Array<ArrayBuffer>, fileParts: readonly FilePart[]): Uint8Array<ArrayBuffer> {
  const [part] = fileParts
  if (part !== undefined && fileParts.length === 1 && 'start' in part) return fileBytes.subarray(part.start, part.end)
  return joinBytes(fileParts.map((part) => ('start' in part ? fileBytes.subarray(part.start, part.end) : part)))
}
