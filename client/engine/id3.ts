import type { WavTags } from '../../dsp/wav.ts'

/**
 * Builds the ID3 tag that precedes the first frame of an MP3 file; empty if there are no tags. Version 2.3 (M. Nilsson, "ID3 tag version
 * 2.3.0", 1999), with UTF-16, which all players read.
 */
export function id3Tag({ title, artist, bpm }: WavTags): Uint8Array<ArrayBuffer> {
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
