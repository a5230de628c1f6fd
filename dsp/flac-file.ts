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
  const comments = vorbisComments(tags)
  const blocks = [
    streamInfo(format),
    blockHeader(cover === undefined ? VORBIS_COMMENT_BLOCK_TYPE | LAST_BLOCK_FLAG : VORBIS_COMMENT_BLOCK_TYPE, comments.length),
    comments,
  ]
  if (cover !== undefined) {
    const description = joinBytes([
      bigEndian(FRONT_COVER_PICTURE_TYPE),
      ...sizedText(cover.type, bigEndian),
      ...sizedText('', bigEndian),
      // Width, height, depth and number of colours of the picture are left unknown.
      new Uint8Array(16),
      bigEndian(cover.size),
    ])
    blocks.push(blockHeader(PICTURE_BLOCK_TYPE | LAST_BLOCK_FLAG, description.length + cover.size), description)
  }
  return joinBytes(blocks)
}

function streamInfo(format: FlacFormat): Uint8Array {
  const bytes = buildFlacDescription(format)
  const view = new DataView(bytes.buffer)
  bytes[MARKER_BYTES] = 0
  const content = MARKER_BYTES + BLOCK_HEADER_BYTES
  view.setUint16(content, FLAC_PACKET_FRAMES)
  view.setUint16(content + 2, FLAC_PACKET_FRAMES)
  // The number of frames has 36 bits, the highest 4 of which share a byte with the sample size.
  view.setUint8(content + 13, view.getUint8(content + 13) | Math.floor(format.frames / 2 ** 32))
  view.setUint32(content + 14, format.frames % 2 ** 32)
  return bytes
}

function vorbisComments(tags: FileTags): Uint8Array {
  const comments = (['title', 'artist', 'album', 'year', 'bpm'] as const).flatMap((name) => {
    const value = tags[name]
    return value === undefined || value === '' ? [] : [`${COMMENT_NAMES[name]}=${value}`]
  })
  return joinBytes([
    ...sizedText('Varispeed', littleEndian),
    littleEndian(comments.length),
    ...comments.flatMap((comment) => sizedText(comment, littleEndian)),
  ])
}

function blockHeader(type: number, sizeBytes: number): Uint8Array {
  const header = bigEndian(sizeBytes)
  header[0] = type
  return header
}

function sizedText(text: string, encodeSize: (size: number) => Uint8Array): Uint8Array[] {
  const bytes = new TextEncoder().encode(text)
  return [encodeSize(bytes.length), bytes]
}

function bigEndian(value: number): Uint8Array {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, value)
  return bytes
}

const littleEndian = (value: number): Uint8Array => bigEndian(value).reverse()
