import { describe, expect, it } from 'vitest'
import { createArraySource } from './byte-source.ts'
import { scanPackets } from './packets.ts'
import { sniffFile } from './sniff.ts'

type Bytes = Uint8Array<ArrayBuffer>

const joinParts = (...parts: readonly (readonly number[] | Uint8Array)[]): Bytes => Uint8Array.from(parts.flatMap((part) => [...part]))
const encodeText = (characters: string) => [...Buffer.from(characters, 'latin1')]
const createBytesWithHeader = (header: readonly number[], bytes: number) => [...header, ...Array<number>(bytes - header.length).fill(0x55)]
const createPackets = (header: readonly number[], bytes: number, count: number) =>
  Array.from({ length: count }, () => createBytesWithHeader(header, bytes)).flat()

/** Headers of packets, and the size of a packet: MP3 of 128 kbit/s at 44.1 and 48 kHz, layer II, and ADTS of 44.1 kHz. */
const MP3_PACKET = [[0xff, 0xfb, 0x90, 0x64], 417] as const
const MP3_48_KHZ_PACKET = [[0xff, 0xfb, 0x94, 0x64], 384] as const
const MP3_MONO_PACKET = [[0xff, 0xfb, 0x90, 0xc4], 417] as const
const MP2_PACKET = [[0xff, 0xfd, 0x80, 0x04], 417] as const
const ADTS_PACKET = [[0xff, 0xf1, 0x50, 0x80, 0x20, 0x1f, 0xfc], 256] as const
const createAdtsPackets = (count: number) => createPackets(ADTS_PACKET[0], ADTS_PACKET[1], count)

const createId3Tag = (bytes: number) => [...encodeText('ID3'), 4, 0, 0, 0, 0, bytes >> 7, bytes & 0x7f, ...Array<number>(bytes).fill(0)]
const apeBytes = [
  ...encodeText('APETAGEX'),
  ...[0xd0, 7, 0, 0],
  ...[50, 0, 0, 0],
  ...[1, 0, 0, 0],
  ...[0, 0, 0, 0xa0],
  ...Array<number>(8).fill(0),
  ...Array<number>(50).fill(0xff),
]
const id3v1Bytes = [...encodeText('TAGSong'), ...Array<number>(121).fill(0)]
const WAV = [...encodeText('RIFF'), 36, 0, 0, 0, ...encodeText('WAVEfmt ')]

const sniffBytes = async (fileBytes: Bytes) => {
  const { kind, startByte } = (await sniffFile(createArraySource(fileBytes))) ?? {}
  return [kind, startByte]
}

describe('sniffFile: the content decides', () => {
  it.each([
    ['MP3', joinParts(createPackets(...MP3_PACKET, 3)), ['mp3', 0]],
    ['MP3 after an ID3 tag', joinParts(createId3Tag(300), createPackets(...MP3_PACKET, 3)), ['mp3', 310]],
    [
      'MP3 after an ID3 tag that contains packets',
      joinParts(encodeText('ID3\x04\0\0\0\0\x09\0'), createPackets(...MP3_48_KHZ_PACKET, 3), createPackets(...MP3_PACKET, 3)),
      ['mp3', 1162],
    ],
    ['MP3 after two ID3 tags', joinParts(createId3Tag(300), createId3Tag(100), createPackets(...MP3_PACKET, 3)), ['mp3', 420]],
    ['MP3 after an APE tag', joinParts(apeBytes, createPackets(...MP3_48_KHZ_PACKET, 3)), ['mp3', 82]],
    ['MP3 that begins inside a packet', joinParts(createPackets(...MP3_48_KHZ_PACKET, 4)).slice(200), ['mp3', 184]],
    ['MP3 after zeros', joinParts(new Uint8Array(5000), createPackets(...MP3_48_KHZ_PACKET, 3)), ['mp3', 5000]],
    ['MP3 of one packet', joinParts(createPackets(...MP3_PACKET, 1)), ['mp3', 0]],
    ['MPEG layer II', joinParts(createPackets(...MP2_PACKET, 3)), ['mp2', 0]],
    ['AAC', joinParts(createAdtsPackets(3)), ['aac', 0]],
    ['AAC after an ID3 tag', joinParts(createId3Tag(300), createAdtsPackets(3)), ['aac', 310]],
    ['AAC that begins inside a packet', joinParts(createAdtsPackets(4)).slice(100), ['aac', 156]],
    ['WAV', joinParts(WAV), ['wav', 0]],
    ['WAV after an ID3 tag', joinParts(createId3Tag(300), WAV), ['wav', 310]],
    ['FLAC after an ID3 tag', joinParts(createId3Tag(300), encodeText('fLaC\0\0\0\x22')), ['flac', 310]],
    ['Ogg', joinParts(encodeText('OggS\0\x02')), ['ogg', 0]],
    ['MP4', joinParts([0, 0, 0, 24], encodeText('ftypM4A ')), ['mp4', 0]],
    ['AIFF', joinParts(encodeText('FORM\0\0\0\0AIFC')), ['aiff', 0]],
    ['CAF', joinParts(encodeText('caff\0\x01\0\0')), ['caf', 0]],
    ['WebM', joinParts([0x1a, 0x45, 0xdf, 0xa3], new Uint8Array(20)), ['matroska', 0]],
    ['zeros', new Uint8Array(50_000), [undefined, undefined]],
    ['a page', joinParts(encodeText('<!doctype html>'.repeat(50))), [undefined, undefined]],
    ['nothing', new Uint8Array(), [undefined, undefined]],
    ['a lone sync word', joinParts(new Uint8Array(100), MP3_PACKET[0], new Uint8Array(2000)), [undefined, undefined]],
  ])('sniffFile: the file type of %s is recognised', async (_, bytes, expected) => {
    expect(await sniffBytes(bytes)).toEqual(expected)
  })

  it('sniffFile: noise has no file type', async () => {
    let randomState = 7
    const noiseBytes = Uint8Array.from({ length: 300_000 }, () => {
      randomState = (Math.imul(randomState, 1_664_525) + 1_013_904_223) >>> 0
      return randomState >> 13
    })
    expect(await sniffBytes(noiseBytes)).toEqual([undefined, undefined])
  })
})

describe('scanPackets: all packets of a file are found', () => {
  const countPackets = async (bytes: Bytes, kind: 'mp3' | 'aac' = 'mp3') =>
    (await scanPackets(createArraySource(bytes), 0, kind)).runs.map(({ starts }) => starts.length)

  it.each([
    ['with a tag after each packet', joinParts(...Array.from({ length: 5 }, () => [...createId3Tag(73), ...createAdtsPackets(1)])), [5]],
    ['with other bytes between them', joinParts(createAdtsPackets(6), [1, 2, 3, 255, 240], createAdtsPackets(6)), [12]],
    ['with zeros between them', joinParts(createAdtsPackets(6), new Uint8Array(2000), createAdtsPackets(6)), [12]],
  ])('scanPackets: all packets of an AAC file are found: %s', async (_, bytes, counts) => {
    expect(await countPackets(bytes, 'aac')).toEqual(counts)
  })

  it.each([
    [
      'of two files with all tags',
      joinParts(
        createId3Tag(300),
        createPackets(...MP3_PACKET, 6),
        createId3Tag(300),
        createPackets(...MP3_PACKET, 7),
        encodeText('TAG'),
        new Uint8Array(125),
      ),
      [13],
    ],
    ['of two sampling rates', joinParts(createPackets(...MP3_PACKET, 6), createPackets(...MP3_48_KHZ_PACKET, 7)), [6, 7]],
    ['of mono and stereo', joinParts(createPackets(...MP3_MONO_PACKET, 6), createPackets(...MP3_PACKET, 7)), [6, 7]],
    [
      'that contain what looks like two packets of another format',
      joinParts(createPackets(...MP3_PACKET, 6), createPackets(...MP3_48_KHZ_PACKET, 2), createPackets(...MP3_PACKET, 7)),
      [13],
    ],
  ])('scanPackets: all packets of an MP3 file are found: %s', async (_, bytes, counts) => {
    expect(await countPackets(bytes)).toEqual(counts)
  })

  it('scanPackets: a place with missing bytes is reported as damage; a tag between packets is not', async () => {
    const scanDamage = async (...between: readonly (readonly number[])[]) =>
      (
        await scanPackets(
          createArraySource(joinParts(createPackets(...MP3_PACKET, 6), ...between, createPackets(...MP3_PACKET, 6))),
          0,
          'mp3',
        )
      ).runs[0]?.afterDamage
    expect(await scanDamage(createId3Tag(100))).toEqual([])
    expect(await scanDamage(id3v1Bytes, createId3Tag(100))).toEqual([])
    expect(await scanDamage([0, 0, 0])).toEqual([6])
  })

  it.each([
    ['are not of 7 bits', [0, 0, 0x81, 0]],
    ['reach beyond the end of the file', [0, 0x7f, 0, 0]],
  ])('scanPackets: an ID3 tag whose sizes %s hides no packets', async (_, statedSize) => {
    const tag = [...encodeText('ID3'), 4, 0, 0, ...statedSize, ...Array<number>(40).fill(0)]
    expect(await countPackets(joinParts(createPackets(...MP3_PACKET, 6), tag, createPackets(...MP3_PACKET, 7)))).toEqual([13])
  })

  it('scanPackets: all packets are found in files that are larger than the block that is read at a time', async () => {
    const file = new Uint8Array(6000 * MP3_PACKET[1])
    for (let packet = 0; packet < 6000; packet++) file.set(MP3_PACKET[0], packet * MP3_PACKET[1])
    expect(await countPackets(file)).toEqual([6000])
  })
})
