import { type ByteSource, readAsciiAt } from './byte-source.ts'
import { createByteWindow, isFollowedByPacket, readPacketHeader, readTagSizeAt } from './packets.ts'

/** The type of a file by its content. `mp2` is MPEG layer II. */
export type FileKind = 'wav' | 'aiff' | 'caf' | 'flac' | 'mp4' | 'ogg' | 'matroska' | 'mp3' | 'mp2' | 'aac'

export interface SniffedFile {
  readonly kind: FileKind
  /** The offset of the content, after tags and other bytes. */
  readonly startByte: number
}

const MAX_LEADING_TAGS = 20
/** The number of bytes within which the first packet of an MP3 or AAC file is searched for. */
const SEARCH_BYTES = 2 ** 20

/**
 * Recognises a file by its content alone: by its signature, after the tags that some programs put before it, or by two packets of MP3 or AAC that
 * follow each other, after any other bytes. `undefined` if the type is unknown.
 */
export async function sniffFile(source: ByteSource): Promise<SniffedFile | undefined> {
  let startByte = 0
  for (let tagCount = 0; tagCount < MAX_LEADING_TAGS; tagCount++) {
    const headBytes = await source.read(startByte, startByte + 64)
    const tagBytes = readTagSizeAt(headBytes, 0, source.sizeBytes - startByte)
    if (tagBytes === 0 || startByte + tagBytes >= source.sizeBytes) break
    startByte += tagBytes
  }
  const kind = findKindOfSignature(await source.read(startByte, startByte + 12))
  return kind === undefined ? findPacket(source, startByte) : { kind, startByte }
}

function findKindOfSignature(headBytes: Uint8Array): FileKind | undefined {
  const [signatureText, formType] = [readAsciiAt(headBytes, 0, 4), readAsciiAt(headBytes, 8, 4)]
  if (['RIFF', 'RIFX', 'RF64', 'BW64'].includes(signatureText) && formType === 'WAVE') return 'wav'
  if (signatureText === 'FORM' && (formType === 'AIFF' || formType === 'AIFC')) return 'aiff'
  if (signatureText === 'caff') return 'caf'
  if (signatureText === 'fLaC') return 'flac'
  if (signatureText === 'OggS') return 'ogg'
  if (signatureText === '\x1aE\xdf\xa3') return 'matroska'
  // Older QuickTime files do not begin with an `ftyp` box.
  return ['ftyp', 'moov', 'mdat', 'wide', 'skip'].includes(readAsciiAt(headBytes, 4, 4)) && headBytes.length >= 8 ? 'mp4' : undefined
}

async function findPacket(source: ByteSource, startByte: number): Promise<SniffedFile | undefined> {
  const byteWindow = createByteWindow(source)
  const endByte = Math.min(source.sizeBytes, startByte + SEARCH_BYTES)
  for (let byteOffset = startByte; byteOffset < endByte; ) {
    const { bytes, start } = byteWindow.findLoadedPart(byteOffset) ?? (await byteWindow.load(byteOffset))
    const packetHeader = readPacketHeader(bytes, byteOffset - start)
    // Here the end of the file is not accepted in place of a second packet, because bytes that merely look like a header can also be
    // followed by the end of the file.
    if (
      packetHeader !== undefined &&
      (await isFollowedByPacket(byteWindow, byteOffset, packetHeader)) &&
      (byteOffset === startByte || byteOffset + packetHeader.bytes < source.sizeBytes)
    )
      return { kind: packetHeader.codec, startByte: byteOffset }
    const next = bytes.indexOf(0xff, byteOffset - start + 1)
    byteOffset = next === -1 ? start + bytes.length : start + next
  }
  return undefined
}
