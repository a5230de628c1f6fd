import type { WavTags } from '../../dsp/wav.ts'

/**
 * An ID3 tag to stand before the first frame of an MP3 file; empty where there is nothing to say. Version 2.3 (M. Nilsson, "ID3 tag version
 * 2.3.0", 1999), with UTF-16, which all players read.
 */
export function id3Tag({ title, artist, bpm }: WavTags): Uint8Array<ArrayBuffer> {
  const frames = [
    ...textFrame('TIT2', title),
    ...textFrame('TPE1', artist),
    // Whole beats, says the standard.
    ...textFrame('TBPM', bpm === undefined ? undefined : String(Math.round(bpm))),
  ]
  if (frames.length === 0) return new Uint8Array()
  // 7 bits to a byte, so that no decoder takes the size for a frame of sound.
  const size = [21, 14, 7, 0].map((shift) => (frames.length >> shift) & 0x7f)
  return Uint8Array.from([...characters('ID3'), 3, 0, 0, ...size, ...frames])
}

const UTF_16 = 1
const BYTE_ORDER_MARK = [0xff, 0xfe]

function textFrame(id: string, text: string | undefined): number[] {
  if (text === undefined || text === '') return []
  const content = [UTF_16, ...BYTE_ORDER_MARK, ...codeUnits(text).flatMap((unit) => [unit & 0xff, unit >> 8])]
  const size = [24, 16, 8, 0].map((shift) => (content.length >> shift) & 0xff)
  return [...characters(id), ...size, 0, 0, ...content]
}

const codeUnits = (text: string) => Array.from({ length: text.length }, (_, index) => text.charCodeAt(index))
const characters = codeUnits
