import { joinBytes } from './byte-source.ts'
import type { CoverFacts, FileTags } from './file-tags.ts'
import { FLAC_PACKET_FRAMES } from './flac-encoder.ts'
import { buildFlacDescription, type FlacFormat } from './flac-packets.ts'

const MARKER_BYTES = 4
const BLOCK_HEADER_BYTES = 4
/** Types of metadata blocks (RFC 9639, 8.1). */
const VORBIS_COMMENT_BLOCK_TYPE = 4
const PICTURE_BLOCK_TYPE = 6
const LAST_BLOCK_FLAG = 0x80
const FRONT_COVER_PICTURE_TYPE = 3

/** The names of the tags as comments (Xiph, "Ogg Vorbis I format specification: comment field and header specification"). */
export const COMMENT_NAMES = { title: 'TITLE', artist: 'ARTIST', album: 'ALBUM', year: 'DATE', bpm: 'BPM' } as const

/**
 * Returns the bytes of a FLAC file before its packets. The bytes of the cover must follow them, if there is one. The checksum of the samples is
 * left unknown, because it would need the whole sound before the first byte.
 */
export function buildFlacFileHead(format: FlacFormat, tags: FileTags, cover?: CoverFacts): Uint8Array<ArrayBuffer> {
  const commentBytes = encodeVorbisComments(tags)
  const metadataBlocks = [
    encodeStreamInfo(format),
    encodeBlockHeader(cover === undefined ? VORBIS_COMMENT_BLOCK_TYPE | LAST_BLOCK_FLAG : VORBIS_COMMENT_BLOCK_TYPE, commentBytes.length),
    commentBytes,
  ]
  if (cover !== undefined) {
    const flacDescription = joinBytes([
      encodeBigEndian(FRONT_COVER_PICTURE_TYPE),
      ...encodeSizedText(cover.type, encodeBigEndian),
      ...encodeSizedText('', encodeBigEndian),
      // Width, height, depth and number of colours of the picture are left unknown.
      new Uint8Array(16),
      encodeBigEndian(cover.size),
    ])
    metadataBlocks.push(encodeBlockHeader(PICTURE_BLOCK_TYPE | LAST_BLOCK_FLAG, flacDescription.length + cover.size), flacDescription)
  }
  return joinBytes(metadataBlocks)
}

function encodeStreamInfo(format: FlacFormat): Uint8Array {
  const headerBytes = buildFlacDescription(format)
  const view = new DataView(headerBytes.buffer)
  headerBytes[MARKER_BYTES] = 0
  const contentStart = MARKER_BYTES + BLOCK_HEADER_BYTES
  view.setUint16(contentStart, FLAC_PACKET_FRAMES)
  view.setUint16(contentStart + 2, FLAC_PACKET_FRAMES)
  // The number of frames has 36 bits, the highest 4 of which share a byte with the sample size.
  view.setUint8(contentStart + 13, view.getUint8(contentStart + 13) | Math.floor(format.frames / 2 ** 32))
  view.setUint32(contentStart + 14, format.frames % 2 ** 32)
  return headerBytes
}

function encodeVorbisComments(tags: FileTags): Uint8Array {
  const commentTexts = (['title', 'artist', 'album', 'year', 'bpm'] as const).flatMap((tagName) => {
    const value = tags[tagName]
    return value === undefined || value === '' ? [] : [`${COMMENT_NAMES[tagName]}=${value}`]
  })
  return joinBytes([
    ...encodeSizedText('Varispeed', encodeLittleEndian),
    encodeLittleEndian(commentTexts.length),
    ...commentTexts.flatMap((comment) => encodeSizedText(comment, encodeLittleEndian)),
  ])
}

function encodeBlockHeader(blockType: number, sizeBytes: number): Uint8Array {
  const header = encodeBigEndian(sizeBytes)
  header[0] = blockType
  return header
}

function encodeSizedText(textContent: string, encodeSize: (size: number) => Uint8Array): Uint8Array[] {
  const bytes = new TextEncoder().encode(textContent)
  return [encodeSize(bytes.length), bytes]
}

function encodeBigEndian(uint32Value: number): Uint8Array {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, uint32Value)
  return bytes
}

const encodeLittleEndian = (value: number): Uint8Array => encodeBigEndian(value).reverse()
