import { asciiAt } from '../../../dsp/byte-source.ts'
import type { SourceTags } from './sample-source.ts'

const TAG_HEADER_BYTES = 10
const UTF_16_ENCODING = 1
const UTF_16_BE_ENCODING = 2
const FRONT_COVER_PICTURE_TYPE = 3
const ID3V1_BYTES = 128
/** The encodings of texts by their number; only version 2.4 has the last two. */
const TEXT_ENCODINGS = ['windows-1252', 'utf-16', 'utf-16be', 'utf-8']
/** The maximum number of bytes from which unsynchronisation is removed, because they are changed in memory. */
const MAX_UNSYNCHRONISED_BYTES = 2 ** 24
const MAX_TEXT_BYTES = 2 ** 16
const MAX_FRAMES = 500
/** The number of bytes at the start of a picture frame within which its media type and description must end. */
const PICTURE_HEAD_BYTES = 2 ** 12

/** The names of text frames; version 2.2 uses the names with three letters. */
const TEXT_FRAMES: Readonly<Record<string, 'title' | 'artist' | 'album' | 'year'>> = {
  ...{ TIT2: 'title', TPE1: 'artist', TALB: 'album', TYER: 'year', TDRC: 'year' },
  ...{ TT2: 'title', TP1: 'artist', TAL: 'album', TYE: 'year' },
}

interface Frame {
  readonly name: string
  readonly start: number
  readonly end: number
  readonly isUnsynchronised: boolean
  readonly isReadable: boolean
}

/** Reads an ID3v2 tag of version 2.2, 2.3 or 2.4 at the beginning of `file`. The result is empty if there is none. */
export async function readId3v2(file: Blob): Promise<SourceTags> {
  const header = await readBytes(file.slice(0, TAG_HEADER_BYTES))
  const [version = 0, , flags = 0] = header.subarray(3, 6)
  if (asciiAt(header, 0, 3) !== 'ID3' || version < 2 || version > 4) return {}
  const size = decodeNumber(header.subarray(6), 128)
  const isUnsynchronised = (flags & 0x80) !== 0 && version < 4
  const storedTag = file.slice(TAG_HEADER_BYTES, TAG_HEADER_BYTES + size)
  const tag = isUnsynchronised
    ? new Blob([removeUnsynchronisation(await readBytes(storedTag.slice(0, MAX_UNSYNCHRONISED_BYTES)))])
    : storedTag
  const texts: { title?: string; artist?: string; album?: string; year?: string } = {}
  let cover: { readonly blob: Blob; readonly isFront: boolean } | undefined
  for await (const frame of framesOf(tag, version, (flags & 0x40) !== 0)) {
    const name = TEXT_FRAMES[frame.name]
    if (!frame.isReadable) continue
    if (name !== undefined) texts[name] ??= decodeText(await readFrameContent(tag, frame, MAX_TEXT_BYTES))
    else if ((frame.name === 'APIC' || frame.name === 'PIC') && cover?.isFront !== true && frame.end <= tag.size)
      cover = (await readPicture(tag, frame)) ?? cover
  }
  return { ...texts, cover: cover?.blob }
}

/** Reads the ID3v1 tag at the end of `file`. The result is empty if there is none. */
export async function readId3v1(file: Blob): Promise<SourceTags> {
  if (file.size < ID3V1_BYTES) return {}
  const text = new TextDecoder('windows-1252').decode(await readBytes(file.slice(-ID3V1_BYTES)))
  if (!text.startsWith('TAG')) return {}
  const textAt = (start: number, end: number) => text.slice(start, end).replace(/\0.*$/s, '').trim() || undefined
  return { title: textAt(3, 33), artist: textAt(33, 63), album: textAt(63, 93), year: textAt(93, 97) }
}

/** Finds the frames of a tag, up to its padding or damage. */
async function* framesOf(tag: Blob, version: number, hasExtendedHeader: boolean): AsyncGenerator<Frame> {
  // Frames of version 2.2 have names and sizes of three bytes, and no flags. The sizes of version 2.4 have 7 bits in each byte.
  const [nameBytes, headerBytes] = version === 2 ? [3, 6] : [4, 10]
  const base = version === 4 ? 128 : 256
  const readHeader = (at: number) => readBytes(tag.slice(at, at + headerBytes))
  const isFrameAt = async (at: number) =>
    at === tag.size || /^(?:[A-Z][A-Z0-9]{2,3}|\0+)$/.test(asciiAt(await readHeader(at), 0, nameBytes))
  let offset = 0
  // The size of the extended header includes itself in version 2.4 only.
  if (hasExtendedHeader && version > 2) offset = decodeNumber(await readBytes(tag.slice(0, 4)), base) + (version === 3 ? 4 : 0)
  for (let frameCount = 0; frameCount < MAX_FRAMES && offset + headerBytes <= tag.size; frameCount++) {
    const header = await readHeader(offset)
    const start = offset + headerBytes
    const sizeBytes = header.subarray(nameBytes, 2 * nameBytes)
    // Some programs wrote the sizes of version 2.4 with 8 bits in each byte.
    const plainSize = decodeNumber(sizeBytes, 256)
    const size =
      version === 4 && !(await isFrameAt(start + decodeNumber(sizeBytes, 128))) && (await isFrameAt(start + plainSize))
        ? plainSize
        : decodeNumber(sizeBytes, base)
    if (size === 0) return
    const flags = version === 2 ? 0 : (header[9] ?? 0)
    // A frame of version 2.4 may have its length before its content. Compressed and encrypted frames are not read.
    const hasLength = version === 4 && (flags & 1) !== 0
    yield {
      name: asciiAt(header, 0, nameBytes),
      start: start + (hasLength ? 4 : 0),
      end: start + size,
      isUnsynchronised: version === 4 && (flags & 2) !== 0,
      isReadable: (flags & (version === 4 ? 0x0c : 0xc0)) === 0,
    }
    offset = start + size
  }
}

async function readFrameContent(tag: Blob, { start, end, isUnsynchronised }: Frame, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await readBytes(tag.slice(start, Math.min(end, start + maxBytes)))
  return isUnsynchronised ? removeUnsynchronisation(bytes) : bytes
}

async function readPicture(tag: Blob, frame: Frame): Promise<{ readonly blob: Blob; readonly isFront: boolean } | undefined> {
  const head = await readFrameContent(tag, frame, PICTURE_HEAD_BYTES)
  const [encoding = 0] = head
  // Version 2.2 has a format of three letters instead of a media type.
  const typeAt = frame.name === 'PIC' ? 4 : head.indexOf(0, 1) + 1
  const isWide = encoding === UTF_16_ENCODING || encoding === UTF_16_BE_ENCODING
  let end = typeAt + 1
  while (end < head.length && (head[end] !== 0 || (isWide && head[end + 1] !== 0))) end += isWide ? 2 : 1
  if (typeAt === 0 || end >= head.length) return undefined
  const dataAt = end + (isWide ? 2 : 1)
  const blob = frame.isUnsynchronised
    ? new Blob([(await readFrameContent(tag, frame, MAX_UNSYNCHRONISED_BYTES)).subarray(dataAt)])
    : tag.slice(frame.start + dataAt, frame.end)
  return { blob, isFront: head[typeAt] === FRONT_COVER_PICTURE_TYPE }
}

function decodeText(content: Uint8Array): string {
  const isBigEndian = content[0] === UTF_16_ENCODING && content[1] === 0xfe
  const encoding = isBigEndian ? 'utf-16be' : TEXT_ENCODINGS[content[0] ?? 0]
  return new TextDecoder(encoding).decode(content.subarray(1)).replace(/\0.*$/s, '')
}

/** Removes the zeros that unsynchronisation adds after bytes of 255. */
const removeUnsynchronisation = (bytes: Uint8Array<ArrayBuffer>) => bytes.filter((byte, at) => byte !== 0 || bytes[at - 1] !== 0xff)

const readBytes = async (blob: Blob) => new Uint8Array(await blob.arrayBuffer())

const decodeNumber = (bytes: Uint8Array, base: number) => bytes.reduce((sum, byte) => sum * base + byte, 0)
