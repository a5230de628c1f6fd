import type { WavTags } from '../../dsp/wav.ts'

/**
 * Builds the ID3 tag that precedes the first frame of an MP3 file; empty if there are no tags. Version 2.3 (M. Nilsson, "ID3 tag version
 * 2.3.0", 1999), with UTF-16, which all players read.
 */
export function buildId3Tag({ title, artist, bpm }: WavTags): Uint8Array<ArrayBuffer> {
  const frames = [
    ...textFrame('TIT2', title),
    ...textFrame('TPE1', artist),
    // The tempo is rounded, because the standard requires an integer.
    ...textFrame('TBPM', bpm === undefined ? undefined : String(Math.round(bpm))),
  ]
  if (frames.length === 0) return new Uint8Array()
  // The size is stored with 7 bits in each byte, so that no decoder mistakes it for the sync word of a frame.
  const sizeBytes = [21, 14, 7, 0].map((shift) => (frames.length >> shift) & 0x7f)
  return Uint8Array.from([...characterCodes('ID3'), 3, 0, 0, ...sizeBytes, ...frames])
}

const UTF_16 = 1
const BYTE_ORDER_MARK = [0xff, 0xfe]

function textFrame(id: string, text: string | undefined): number[] {
  if (text === undefined || text === '') return []
  const content = [UTF_16, ...BYTE_ORDER_MARK, ...codeUnits(text).flatMap((unit) => [unit & 0xff, unit >> 8])]
  const size = [24, 16, 8, 0].map((shift) => (content.length >> shift) & 0xff)
  return [...characterCodes(id), ...size, 0, 0, ...content]
}

const codeUnits = (text: string) => Array.from({ length: text.length }, (_, index) => text.charCodeAt(index))
const characterCodes = codeUnits

export interface Id3Tags {
  readonly title?: string
  readonly artist?: string
}

const FRAME_NAMES: Readonly<Record<string, keyof Id3Tags>> = { TIT2: 'title', TT2: 'title', TPE1: 'artist', TP1: 'artist' }
/** The encodings of ID3 texts by their number; the last two exist only in version 2.4. */
const TEXT_ENCODINGS = ['windows-1252', 'utf-16', 'utf-16be', 'utf-8']

function decodeId3Text(content: Uint8Array): string {
  const isBigEndian = content[0] === UTF_16 && content[1] === 0xfe
  const encoding = isBigEndian ? 'utf-16be' : TEXT_ENCODINGS[content[0] ?? 0]
  return new TextDecoder(encoding).decode(content.subarray(1)).replace(/\0.*$/s, '')
}

/** Reads title and artist of an ID3v2 tag of version 2.2, 2.3 or 2.4. The result is empty if `bytes` is not such a tag. */
export function readId3Tags(bytes: Uint8Array): Id3Tags {
  const tags: { title?: string; artist?: string } = {}
  const [version = 0, , flags = 0] = bytes.subarray(3, 6)
  if (String.fromCharCode(...bytes.subarray(0, 3)) !== 'ID3' || version < 2 || version > 4) return tags
  // An unsynchronised tag has an extra zero byte after each byte of 255.
  const tag = (flags & 0x80) === 0 || version === 4 ? bytes : bytes.filter((byte, at) => byte !== 0 || at < 10 || bytes[at - 1] !== 0xff)
  // Frames of version 2.2 have names and sizes of three bytes, and no flags. The sizes of version 2.4 have 7 bits in each byte.
  const [nameBytes, headerBytes] = version === 2 ? [3, 6] : [4, 10]
  const numberAt = (at: number, count: number) =>
    tag.slice(at, at + count).reduce((sum, byte) => sum * (version === 4 ? 128 : 256) + byte, 0)
  const hasExtendedHeader = version > 2 && (flags & 0x40) !== 0
  for (let at = 10 + (hasExtendedHeader ? numberAt(10, 4) + (version === 3 ? 4 : 0) : 0); at + headerBytes <= tag.length; ) {
    const name = FRAME_NAMES[String.fromCharCode(...tag.subarray(at, at + nameBytes))]
    const size = numberAt(at + nameBytes, nameBytes)
    if (size === 0) break
    if (name !== undefined) tags[name] ??= decodeId3Text(tag.subarray(at + headerBytes, at + headerBytes + size))
    at += headerBytes + size
  }
  return tags
}

/** The number of bytes of an ID3v2 tag that are read: the texts usually precede the cover. */
const MAX_TAG_BYTES = 2 ** 20
const ID3V1_BYTES = 128

/**
 * Reads title and artist of an MP3, AAC or FLAC file from the ID3v2 tag at its start, or without such a tag from the ID3v1 tag at its end.
 */
export async function readFileTags(blob: Blob): Promise<Id3Tags> {
  const tags = readId3Tags(new Uint8Array(await blob.slice(0, MAX_TAG_BYTES).arrayBuffer()))
  if (tags.title !== undefined || tags.artist !== undefined || blob.size < ID3V1_BYTES) return tags
  const end = new TextDecoder('windows-1252').decode(await blob.slice(-ID3V1_BYTES).arrayBuffer())
  if (!end.startsWith('TAG')) return tags
  const [title, artist] = [end.slice(3, 33), end.slice(33, 63)].map((text) => text.replace(/\0.*$/s, '').trim())
  return { ...(title && { title }), ...(artist && { artist }) }
}
