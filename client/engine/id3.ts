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
  const frameBytes = joinBytes([
    ...encodeTextFrame('TIT2', title),
    ...encodeTextFrame('TPE1', artist),
    ...encodeTextFrame('TALB', album),
    // The frame for the year allows only four digits.
    ...encodeTextFrame('TYER', year?.slice(0, 4)),
    // The tempo is rounded, because the standard requires an integer.
    ...encodeTextFrame('TBPM', bpm === undefined ? undefined : String(Math.round(bpm))),
    ...(cover === undefined ? [] : encodeCoverFrameHead(cover)),
  ])
  if (frameBytes.length === 0) return frameBytes
  const contentBytes = frameBytes.length + (cover?.size ?? 0)
  // The size is stored with 7 bits in each byte, so that no decoder mistakes it for the sync word of a frame.
  const sizeBytes = [21, 14, 7, 0].map((shift) => (contentBytes >> shift) & 0x7f)
  return joinBytes([Uint8Array.from([...toCharacterCodes('ID3'), 3, 0, 0, ...sizeBytes]), frameBytes])
}

/** Returns the size of the tag with its cover, in bytes. */
export const measureId3TagSize = (tags: FileTags, cover?: CoverFacts): number => buildId3Head(tags, cover).length + (cover?.size ?? 0)

function encodeTextFrame(frameId: string, frameText: string | undefined): Uint8Array[] {
  if (frameText === undefined || frameText === '') return []
  const coverFrame = Uint8Array.from([
    UTF_16_ENCODING,
    ...BYTE_ORDER_MARK,
    ...toCodeUnits(frameText).flatMap((unit) => [unit & 0xff, unit >> 8]),
  ])
  return [encodeFrameHeader(frameId, coverFrame.length), coverFrame]
}

function encodeCoverFrameHead({ type, size }: CoverFacts): Uint8Array[] {
  const NO_DESCRIPTION = 0
  const content = Uint8Array.from([LATIN_1_ENCODING, ...toCharacterCodes(type), 0, FRONT_COVER_PICTURE_TYPE, NO_DESCRIPTION])
  return [encodeFrameHeader('APIC', content.length + size), content]
}

const encodeFrameHeader = (id: string, size: number) =>
  Uint8Array.from([...toCharacterCodes(id), ...[24, 16, 8, 0].map((shift) => (size >> shift) & 0xff), 0, 0])

const toCodeUnits = (text: string) => Array.from({ length: text.length }, (_, index) => text.charCodeAt(index))
const toCharacterCodes = toCodeUnits
