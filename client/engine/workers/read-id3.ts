import { readAsciiAt } from '../../../dsp/byte-source.ts'
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
const MAX_ID3_FRAMES = 500
/** The number of bytes at the start of a picture frame within which its media type and description must end. */
const PICTURE_HEAD_BYTES = 2 ** 12

/** The names of text frames; version 2.2 uses the names with three letters. */
const TAG_NAME_BY_FRAME_ID: Readonly<Record<string, 'title' | 'artist' | 'album' | 'year'>> = {
  ...{ TIT2: 'title', TPE1: 'artist', TALB: 'album', TYER: 'year', TDRC: 'year' },
  ...{ TT2: 'title', TP1: 'artist', TAL: 'album', TYE: 'year' },
}

interface Id3Frame {
  readonly name: string
  readonly start: number
  readonly end: number
  readonly isUnsynchronised: boolean
  readonly isReadable: boolean
}

/** Reads an ID3v2 tag of version 2.2, 2.3 or 2.4 at the beginning of `soundFile`. The result is empty if there is none. */
export async function readId3v2(soundFile: Blob): Promise<SourceTags> {
  const headerBytes = await readBytes(soundFile.slice(0, TAG_HEADER_BYTES))
  const [tagVersion = 0, , tagFlags = 0] = headerBytes.subarray(3, 6)
  if (readAsciiAt(headerBytes, 0, 3) !== 'ID3' || tagVersion < 2 || tagVersion > 4) return {}
  const tagBytes = decodeNumber(headerBytes.subarray(6), 128)
  const isUnsynchronised = (tagFlags & 0x80) !== 0 && tagVersion < 4
  const storedTag = soundFile.slice(TAG_HEADER_BYTES, TAG_HEADER_BYTES + tagBytes)
  const tagBlob = isUnsynchronised
    ? new Blob([removeUnsynchronisation(await readBytes(storedTag.slice(0, MAX_UNSYNCHRONISED_BYTES)))])
    : storedTag
  const tagTexts: { title?: string; artist?: string; album?: string; year?: string } = {}
  let foundCover: { readonly blob: Blob; readonly isFront: boolean } | undefined
  for await (const id3Frame of readFrames(tagBlob, tagVersion, (tagFlags & 0x40) !== 0)) {
    const tagName = TAG_NAME_BY_FRAME_ID[id3Frame.name]
    if (!id3Frame.isReadable) continue
    if (tagName !== undefined) tagTexts[tagName] ??= decodeText(await readFrameContent(tagBlob, id3Frame, MAX_TEXT_BYTES))
    else if ((id3Frame.name === 'APIC' || id3Frame.name === 'PIC') && foundCover?.isFront !== true && id3Frame.end <= tagBlob.size)
      foundCover = (await readPicture(tagBlob, id3Frame)) ?? foundCover
  }
  return { ...tagTexts, cover: foundCover?.blob }
}

/** Reads the ID3v1 tag at the end of `soundFile`. The result is empty if there is none. */
export async function readId3v1(soundFile: Blob): Promise<SourceTags> {
  if (soundFile.size < ID3V1_BYTES) return {}
  const tagText = new TextDecoder('windows-1252').decode(await readBytes(soundFile.slice(-ID3V1_BYTES)))
  if (!tagText.startsWith('TAG')) return {}
  const readTextAt = (start: number, end: number) => tagText.slice(start, end).replace(/\0.*$/s, '').trim() || undefined
  return { title: readTextAt(3, 33), artist: readTextAt(33, 63), album: readTextAt(63, 93), year: readTextAt(93, 97) }
}

/** Finds the frames of a tag, up to its padding or damage. */
async function* readFrames(tagBlob: Blob, tagVersion: number, hasExtendedHeader: boolean): AsyncGenerator<Id3Frame> {
  // Frames of version 2.2 have names and sizes of three bytes, and no flags. The sizes of version 2.4 have 7 bits in each byte.
  const [nameBytes, headerBytes] = tagVersion === 2 ? [3, 6] : [4, 10]
  const sizeBase = tagVersion === 4 ? 128 : 256
  const readHeader = (at: number) => readBytes(tagBlob.slice(at, at + headerBytes))
  const isFrameAt = async (at: number) =>
    at === tagBlob.size || /^(?:[A-Z][A-Z0-9]{2,3}|\0+)$/.test(readAsciiAt(await readHeader(at), 0, nameBytes))
  let frameOffset = 0
  // The size of the extended header includes itself in version 2.4 only.
  if (hasExtendedHeader && tagVersion > 2)
    frameOffset = decodeNumber(await readBytes(tagBlob.slice(0, 4)), sizeBase) + (tagVersion === 3 ? 4 : 0)
  for (let frameCount = 0; frameCount < MAX_ID3_FRAMES && frameOffset + headerBytes <= tagBlob.size; frameCount++) {
    const frameHeader = await readHeader(frameOffset)
    const contentStart = frameOffset + headerBytes
    const sizeBytes = frameHeader.subarray(nameBytes, 2 * nameBytes)
    // Some programs wrote the sizes of version 2.4 with 8 bits in each byte.
    const eightBitSize = decodeNumber(sizeBytes, 256)
    const contentBytes =
      tagVersion === 4 && !(await isFrameAt(contentStart + decodeNumber(sizeBytes, 128))) && (await isFrameAt(contentStart + eightBitSize))
        ? eightBitSize
        : decodeNumber(sizeBytes, sizeBase)
    if (contentBytes === 0) return
    const frameFlags = tagVersion === 2 ? 0 : (frameHeader[9] ?? 0)
    // A frame of version 2.4 may have its length before its content. Compressed and encrypted frames are not read.
    const hasDataLength = tagVersion === 4 && (frameFlags & 1) !== 0
    yield {
      name: readAsciiAt(frameHeader, 0, nameBytes),
      start: contentStart + (hasDataLength ? 4 : 0),
      end: contentStart + contentBytes,
      isUnsynchronised: tagVersion === 4 && (frameFlags & 2) !== 0,
      isReadable: (frameFlags & (tagVersion === 4 ? 0x0c : 0xc0)) === 0,
    }
    frameOffset = contentStart + contentBytes
  }
}

async function readFrameContent(
  tagBlob: Blob,
  { start, end, isUnsynchronised }: Id3Frame,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await readBytes(tagBlob.slice(start, Math.min(end, start + maxBytes)))
  return isUnsynchronised ? removeUnsynchronisation(bytes) : bytes
}

async function readPicture(tagBlob: Blob, frame: Id3Frame): Promise<{ readonly blob: Blob; readonly isFront: boolean } | undefined> {
  const pictureHead = await readFrameContent(tagBlob, frame, PICTURE_HEAD_BYTES)
  const [encodingByte = 0] = pictureHead
  // Version 2.2 has a format of three letters instead of a media type.
  const pictureTypeOffset = frame.name === 'PIC' ? 4 : pictureHead.indexOf(0, 1) + 1
  const isWideEncoding = encodingByte === UTF_16_ENCODING || encodingByte === UTF_16_BE_ENCODING
  let descriptionEnd = pictureTypeOffset + 1
  while (
    descriptionEnd < pictureHead.length &&
    (pictureHead[descriptionEnd] !== 0 || (isWideEncoding && pictureHead[descriptionEnd + 1] !== 0))
  )
    descriptionEnd += isWideEncoding ? 2 : 1
  if (pictureTypeOffset === 0 || descriptionEnd >= pictureHead.length) return undefined
  const pictureDataOffset = descriptionEnd + (isWideEncoding ? 2 : 1)
  const contentBlob = frame.isUnsynchronised
    ? new Blob([(await readFrameContent(tagBlob, frame, MAX_UNSYNCHRONISED_BYTES)).subarray(pictureDataOffset)])
    : tagBlob.slice(frame.start + pictureDataOffset, frame.end)
  return { blob: contentBlob, isFront: pictureHead[pictureTypeOffset] === FRONT_COVER_PICTURE_TYPE }
}

function decodeText(encodedText: Uint8Array): string {
  const isBigEndian = encodedText[0] === UTF_16_ENCODING && encodedText[1] === 0xfe
  const encoding = isBigEndian ? 'utf-16be' : TEXT_ENCODINGS[encodedText[0] ?? 0]
  return new TextDecoder(encoding).decode(encodedText.subarray(1)).replace(/\0.*$/s, '')
}

/** Removes the zeros that unsynchronisation adds after bytes of 255. */
const removeUnsynchronisation = (bytes: Uint8Array<ArrayBuffer>) => bytes.filter((byte, at) => byte !== 0 || bytes[at - 1] !== 0xff)

const readBytes = async (blob: Blob) => new Uint8Array(await blob.arrayBuffer())

const decodeNumber = (bytes: Uint8Array, base: number) => bytes.reduce((sum, byte) => sum * base + byte, 0)
