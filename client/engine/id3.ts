import { joinBytes } from '../../dsp/byte-source.ts'
import type { CoverFacts, FileTags } from '../../dsp/file-tags.ts'

/** Text encoding 0 of ID3 is ISO 8859-1, in which media types are written. */
const LATIN_1_ENCODING = 0
const UTF_16_ENCODING = 1
const BYTE_ORDER_MARK = [0xff, 0xfe]
const FRONT_COVER_PICTURE_TYPE = 3

/**
 * Builds an ID3 tag without the bytes of its cover, which must follow if there is one; empty if there is nothing to write. The format is
 * version 2.3 (M. Nilsson, "ID3 tag version 2.3.0", 1999), with UTF-16, which all players read.
 */
export function buildId3Head({ title, artist, album, year, bpm }: FileTags, cover?: CoverFacts): Uint8Array<ArrayBuffer> {
  const frames = joinBytes([
    ...textFrame('TIT2', title),
    ...textFrame('TPE1', artist),
    ...textFrame('TALB', album),
    // The frame for the year allows only four digits.
    ...textFrame('TYER', year?.slice(0, 4)),
    // The tempo is rounded, because the standard requires an integer.
    ...textFrame('TBPM', bpm === undefined ? undefined : String(Math.round(bpm))),
    ...(cover === undefined ? [] : coverFrameHead(cover)),
  ])
  if (frames.length === 0) return frames
  const size = frames.length + (cover?.size ?? 0)
  // The size is stored with 7 bits in each byte, so that no decoder mistakes it for the sync word of a frame.
  const sizeBytes = [21, 14, 7, 0].map((shift) => (size >> shift) & 0x7f)
  return joinBytes([Uint8Array.from([...characterCodes('ID3'), 3, 0, 0, ...sizeBytes]), frames])
}

/** Returns the size of the tag with its cover, in bytes. */
export const id3TagSize = (tags: FileTags, cover?: CoverFacts): number => buildId3Head(tags, cover).length + (cover?.size ?? 0)

function textFrame(id: string, text: string | undefined): Uint8Array[] {
  if (text === undefined || text === '') return []
  const content = Uint8Array.from([UTF_16_ENCODING, ...BYTE_ORDER_MARK, ...codeUnits(text).flatMap((unit) => [unit & 0xff, unit >> 8])])
  return [frameHeader(id, content.length), content]
}

function coverFrameHead({ type, size }: CoverFacts): Uint8Array[] {
  const NO_DESCRIPTION = 0
  const content = Uint8Array.from([LATIN_1_ENCODING, ...characterCodes(type), 0, FRONT_COVER_PICTURE_TYPE, NO_DESCRIPTION])
  return [frameHeader('APIC', content.length + size), content]
}

const frameHeader = (id: string, size: number) =>
  Uint8Array.from([...characterCodes(id), ...[24, 16, 8, 0].map((shift) => (size >> shift) & 0xff), 0, 0])

const codeUnits = (text: string) => Array.from({ length: text.length }, (_, index) => text.charCodeAt(index))
const characterCodes = codeUnits
