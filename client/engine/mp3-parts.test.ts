import { describe, expect, test } from 'vitest'
import { type Mp3Parts, mp3Parts } from './mp3-parts.ts'
import { joined, withInfo, withTags } from './testing/mp3-file.ts'

/** Bit rates, sampling rates and modes as their headers' bits; 144 or 72 bytes for each kbit/s and kHz (ISO/IEC 11172-3, 2.4.3.1). */
const CD_128 = { header: [0xff, 0xfb, 0x90, 0x64], bytes: 417, sideBytes: 38, reservoirBytes: 511 }
const CD_320 = { header: [0xff, 0xfb, 0xe0, 0x64], bytes: 1044, sideBytes: 38, reservoirBytes: 511 }
const CD_32_MONO = { header: [0xff, 0xfb, 0x10, 0xc4], bytes: 104, sideBytes: 23, reservoirBytes: 511 }
const MPEG2_8 = { header: [0xff, 0xf3, 0x14, 0x64], bytes: 24, sideBytes: 23, reservoirBytes: 255 }
const MPEG2_32 = { header: [0xff, 0xf3, 0x40, 0x64], bytes: 104, sideBytes: 23, reservoirBytes: 255 }
const MPEG25_8 = { header: [0xff, 0xe3, 0x18, 0xc4], bytes: 72, sideBytes: 15, reservoirBytes: 255 }

function packets({ header, bytes }: Pick<typeof CD_128, 'header' | 'bytes'>, count: number): Uint8Array<ArrayBuffer> {
  const run = new Uint8Array(count * bytes).fill(0x55)
  for (let packet = 0; packet < count; packet++) run.set(header, packet * bytes)
  return run
}

const COUNT = 2000

function partsOf(file: Uint8Array): Mp3Parts {
  const parts = mp3Parts(file, 6)
  if (parts === undefined) throw new Error('it has no parts')
  return parts
}

describe.each([
  ['128 kbps', CD_128, 44_100, 2, 1152],
  ['320 kbps', CD_320, 44_100, 2, 1152],
  ['32 kbps, mono', CD_32_MONO, 44_100, 1, 1152],
  ['MPEG-2, 8 kbps', MPEG2_8, 24_000, 2, 576],
  ['MPEG-2, 32 kbps', MPEG2_32, 22_050, 2, 576],
  ['MPEG-2.5, 8 kbps', MPEG25_8, 8000, 1, 576],
] as const)('MP3 of %s', (_, kind, sampleRate, channels, packetFrames) => {
  const whole = partsOf(packets(kind, COUNT))

  test('is a run of parts without gaps', () => {
    expect(whole).toMatchObject({ sampleRate, channels, packetFrames, frames: COUNT * packetFrames })
    expect(whole.parts).toHaveLength(Math.floor((COUNT * packetFrames) / sampleRate / 6))
    let endByte = 0
    for (const part of whole.parts) {
      expect(part.startByte + (part.skipFrames / packetFrames) * kind.bytes).toBe(endByte)
      expect(part.skipFrames + part.keepFrames).toBe(part.frames)
      expect((part.frames / packetFrames) * kind.bytes).toBe(part.endByte - part.startByte)
      expect(part.keepFrames / sampleRate).toBeGreaterThan(5.9)
      endByte = part.endByte
    }
    expect(endByte).toBe(COUNT * kind.bytes)
    expect(whole.parts[0]).toMatchObject({ startByte: 0, skipFrames: 0 })
  })

  test('begins each part so early that all is there that its first packets may reach back to', () => {
    for (const { skipFrames } of whole.parts.filter(({ startByte }) => startByte > 0)) {
      const forReservoir = skipFrames / packetFrames - 4
      expect(forReservoir * (kind.bytes - kind.sideBytes)).toBeGreaterThanOrEqual(kind.reservoirBytes)
      expect((forReservoir - 1) * (kind.bytes - kind.sideBytes)).toBeLessThan(kind.reservoirBytes)
    }
  })

  test('leaves out what its encoder added', () => {
    const { frames, parts } = partsOf(withInfo(packets(kind, COUNT), COUNT, { delay: 576, padding: 1234 }))
    expect(frames).toBe(COUNT * packetFrames - 576 - 1234)
    expect(parts.reduce((sum, { keepFrames }) => sum + keepFrames, 0)).toBe(frames)
    expect(parts[0]?.frames).toBe(parts[0]?.keepFrames)
    const last = parts.at(-1)
    expect(last && last.frames - last.skipFrames - last.keepFrames).toBe(1234 - 529)
  })
})

test('an MP3 file may have packets of many sizes, and tags around them', () => {
  const padded = { header: [0xff, 0xfa, 0x92, 0x44], bytes: 418 }
  const mixed = Array.from({ length: 300 }, () => [packets(CD_128, 2), packets(CD_320, 1), packets(padded, 1)]).flat()
  const bare = joined(...mixed)
  const whole = partsOf(bare)
  expect(whole.frames).toBe(1200 * 1152)
  const ape = new Uint8Array(32 + 500)
  ape.set(new TextEncoder().encode('APETAGEX'))
  ape[12] = 500 & 0xff
  ape[13] = 500 >> 8
  for (const tagged of [withTags(bare), withTags(withTags(bare).slice(0, -128)), joined(bare, ape), withTags(joined(bare, ape))]) {
    const before = Math.max(
      0,
      tagged.findIndex((byte, at) => byte === 0xff && tagged[at + 1] === 0xfb),
    )
    expect(partsOf(tagged)).toEqual({
      ...whole,
      parts: whole.parts.map(({ startByte, endByte, ...rest }, index) => ({
        ...rest,
        startByte: index === 0 ? 0 : before + startByte,
        endByte: before + endByte,
      })),
    })
  }
})

const good = packets(CD_128, COUNT)
const amid = (what: Uint8Array) => joined(good, what, good)
const changed = (at: number, ...bytes: readonly number[]) => {
  const file = good.slice()
  file.set(bytes, at)
  return file
}

test.each([
  ['is too short for two parts', packets(CD_128, 450)],
  ['has rubbish before its sound', joined(new Uint8Array(7), good)],
  ['has rubbish in its sound', amid(new Uint8Array(1))],
  ['has tags in its sound', amid(new Uint8Array(withTags(new Uint8Array()).slice(-128)))],
  ['has rubbish behind its sound', joined(good, new Uint8Array(1))],
  ['ends amid a packet', good.slice(0, -1)],
  ['ends amid its tags', withTags(good).slice(0, -1)],
  ['has a damaged header', changed(417 * 1000, 0x00)],
  ['has other sampling rates', amid(packets({ header: [0xff, 0xfb, 0x94, 0x64], bytes: 384 }, COUNT))],
  ['is mono here and there', amid(packets({ header: [0xff, 0xfb, 0x90, 0xc4], bytes: 417 }, COUNT))],
  ['is of two versions', amid(packets(MPEG2_32, COUNT))],
  ['is of layer II', packets({ header: [0xff, 0xfd, 0x90, 0x64], bytes: 417 }, COUNT)],
  ['is AAC', packets({ header: [0xff, 0xf1, 0x50, 0x80], bytes: 417 }, COUNT)],
  ['has a free bit rate', packets({ header: [0xff, 0xfb, 0x00, 0x64], bytes: 417 }, COUNT)],
  ['has a bit rate that there is not', changed(417 * 1000, 0xff, 0xfb, 0xf0)],
  ['has a sampling rate that there is not', packets({ header: [0xff, 0xfb, 0x9c, 0x64], bytes: 417 }, COUNT)],
  ['has more packets than it says', withInfo(good, COUNT - 1)],
  ['has fewer packets than it says', withInfo(good, COUNT + 1)],
  ['is empty', new Uint8Array()],
])('a file that %s has no parts', (_, file) => {
  expect(mp3Parts(file)).toBeUndefined()
})
