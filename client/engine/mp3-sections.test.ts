import { beforeAll, describe, expect, test } from 'vitest'
import { findPackets } from './mp3-repair.ts'
import { splitMp3 } from './mp3-sections.ts'
import type { SectionLayout } from './section-layout.ts'
import { joinBytes, withInfoPacket, withTags } from './testing/mp3-file.ts'

/** Packet formats: the header, and sizes in bytes. A packet has 144 or 72 bytes for each kbit/s and kHz (ISO/IEC 11172-3, 2.4.3.1). */
const MPEG1_128 = { header: [0xff, 0xfb, 0x90, 0x64], bytes: 417, sideBytes: 38, reservoirBytes: 511 }
const MPEG1_320 = { header: [0xff, 0xfb, 0xe0, 0x64], bytes: 1044, sideBytes: 38, reservoirBytes: 511 }
const MPEG1_32_MONO = { header: [0xff, 0xfb, 0x10, 0xc4], bytes: 104, sideBytes: 23, reservoirBytes: 511 }
const MPEG2_8 = { header: [0xff, 0xf3, 0x14, 0x64], bytes: 24, sideBytes: 23, reservoirBytes: 255 }
const MPEG2_32 = { header: [0xff, 0xf3, 0x40, 0x64], bytes: 104, sideBytes: 23, reservoirBytes: 255 }
const MPEG25_8 = { header: [0xff, 0xe3, 0x18, 0xc4], bytes: 72, sideBytes: 15, reservoirBytes: 255 }

function createPackets({ header, bytes }: Pick<typeof MPEG1_128, 'header' | 'bytes'>, packetCount: number): Uint8Array<ArrayBuffer> {
  const packetRun = new Uint8Array(packetCount * bytes).fill(0x55)
  for (let packet = 0; packet < packetCount; packet++) packetRun.set(header, packet * bytes)
  return packetRun
}

const PACKET_COUNT = 2000

async function splitFile(fileBytes: Uint8Array<ArrayBuffer>): Promise<SectionLayout | undefined> {
  const found = await findPackets(fileBytes, 0)
  return found && splitMp3(found.bytes, found.packets, 6)
}

async function splitFileOrThrow(fileBytes: Uint8Array<ArrayBuffer>): Promise<SectionLayout> {
  const sections = await splitFile(fileBytes)
  if (sections === undefined) throw new Error('the file cannot be split into sections')
  return sections
}

describe.each([
  ['128 kbps', MPEG1_128, 44_100, 2, 1152],
  ['320 kbps', MPEG1_320, 44_100, 2, 1152],
  ['32 kbps, mono', MPEG1_32_MONO, 44_100, 1, 1152],
  ['MPEG-2, 8 kbps', MPEG2_8, 24_000, 2, 576],
  ['MPEG-2, 32 kbps', MPEG2_32, 22_050, 2, 576],
  ['MPEG-2.5, 8 kbps', MPEG25_8, 8000, 1, 576],
] as const)('splitMp3: %s', (_, packetKind, sampleRate, channelCount, packetFrames) => {
  let layout: SectionLayout
  beforeAll(async () => {
    layout = await splitFileOrThrow(createPackets(packetKind, PACKET_COUNT))
  })

  test('splitMp3: sections follow each other without gaps', () => {
    expect(layout).toMatchObject({ sampleRate, channels: channelCount, repeatedFrames: packetFrames, frames: PACKET_COUNT * packetFrames })
    expect(layout.sections).toHaveLength(Math.floor((PACKET_COUNT * packetFrames) / sampleRate / 6))
    let endByte = 0
    for (const fileSection of layout.sections) {
      expect(fileSection.startByte + (fileSection.warmUpFrames / packetFrames) * packetKind.bytes).toBe(endByte)
      expect(fileSection.warmUpFrames + fileSection.ownFrames).toBe(fileSection.frames)
      expect(((fileSection.frames ?? 0) / packetFrames) * packetKind.bytes).toBe(fileSection.endByte - fileSection.startByte)
      expect(fileSection.ownFrames / sampleRate).toBeGreaterThan(5.9)
      endByte = fileSection.endByte
    }
    expect(endByte).toBe(PACKET_COUNT * packetKind.bytes)
    expect(layout.sections[0]).toMatchObject({ startByte: 0, warmUpFrames: 0 })
  })

  test("splitMp3: the packets that warm the decoder up cover the bit reservoir of the section's first own packets", () => {
    for (const { warmUpFrames } of layout.sections.filter(({ startByte }) => startByte > 0)) {
      const forReservoir = warmUpFrames / packetFrames - 4
      expect(forReservoir * (packetKind.bytes - packetKind.sideBytes)).toBeGreaterThanOrEqual(packetKind.reservoirBytes)
      expect((forReservoir - 1) * (packetKind.bytes - packetKind.sideBytes)).toBeLessThan(packetKind.reservoirBytes)
    }
  })

  test("splitMp3: sections leave out the encoder's delay and padding", async () => {
    const { frames, sections } = await splitFileOrThrow(
      withInfoPacket(createPackets(packetKind, PACKET_COUNT), PACKET_COUNT, { delay: 576, padding: 1234 }),
    )
    expect(frames).toBe(PACKET_COUNT * packetFrames - 576 - 1234)
    expect(sections.reduce((sum, { ownFrames }) => sum + ownFrames, 0)).toBe(frames)
    expect(sections[0]?.frames).toBe(sections[0]?.ownFrames)
    const lastSection = sections.at(-1)
    expect(lastSection && (lastSection.frames ?? 0) - lastSection.warmUpFrames - lastSection.ownFrames).toBe(1234 - 529)
  })
})

test('splitMp3: packets of different sizes are found between tags', async () => {
  const paddedFormat = { header: [0xff, 0xfa, 0x92, 0x44], bytes: 418 }
  const mixedPackets = Array.from({ length: 300 }, () => [
    createPackets(MPEG1_128, 2),
    createPackets(MPEG1_320, 1),
    createPackets(paddedFormat, 1),
  ]).flat()
  const untaggedFile = joinBytes(...mixedPackets)
  const sectionLayout = await splitFileOrThrow(untaggedFile)
  expect(sectionLayout.frames).toBe(1200 * 1152)
  const apeTag = new Uint8Array(32 + 500)
  apeTag.set(new TextEncoder().encode('APETAGEX'))
  apeTag[12] = 500 & 0xff
  apeTag[13] = 500 >> 8
  for (const taggedFile of [
    withTags(untaggedFile),
    withTags(withTags(untaggedFile).slice(0, -128)),
    joinBytes(untaggedFile, apeTag),
    withTags(joinBytes(untaggedFile, apeTag)),
  ])
    expect(await splitFileOrThrow(taggedFile)).toEqual(sectionLayout)
})

const validFile = createPackets(MPEG1_128, PACKET_COUNT)
const insertInMiddle = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => joinBytes(validFile, bytes, validFile)
const changeBytes = (startOffset: number, ...newBytes: readonly number[]) => {
  const file = validFile.slice()
  file.set(newBytes, startOffset)
  return file
}

test.each([
  ['is too short for two sections', createPackets(MPEG1_128, 450)],
  ['has packets of several sampling rates', insertInMiddle(createPackets({ header: [0xff, 0xfb, 0x94, 0x64], bytes: 384 }, PACKET_COUNT))],
  ['has mono and stereo packets', insertInMiddle(createPackets({ header: [0xff, 0xfb, 0x90, 0xc4], bytes: 417 }, PACKET_COUNT))],
  ['has packets of two versions', insertInMiddle(createPackets(MPEG2_32, PACKET_COUNT))],
  ['is MPEG layer II', createPackets({ header: [0xff, 0xfd, 0x90, 0x64], bytes: 417 }, PACKET_COUNT)],
  ['is AAC', createPackets({ header: [0xff, 0xf1, 0x50, 0x80], bytes: 417 }, PACKET_COUNT)],
  ['has a free bit rate', createPackets({ header: [0xff, 0xfb, 0x00, 0x64], bytes: 417 }, PACKET_COUNT)],
  ['has an invalid sampling rate', createPackets({ header: [0xff, 0xfb, 0x9c, 0x64], bytes: 417 }, PACKET_COUNT)],
  ['is empty', new Uint8Array()],
])('splitMp3: a file that %s is not split', async (_, file) => {
  expect(await splitFile(file)).toBeUndefined()
})

test.each([
  ['has other bytes before its packets', joinBytes(new Uint8Array(7), validFile), PACKET_COUNT],
  ['has another byte between its packets', insertInMiddle(new Uint8Array(1)), 2 * PACKET_COUNT],
  ['has tags between its packets', insertInMiddle(new Uint8Array(withTags(new Uint8Array()).slice(0, -128))), 2 * PACKET_COUNT],
  ['has another byte after its packets', joinBytes(validFile, new Uint8Array(1)), PACKET_COUNT],
  ['ends inside a packet', validFile.slice(0, -1), PACKET_COUNT - 1],
  ['ends inside its tags', withTags(validFile).slice(0, -1), PACKET_COUNT],
  ['has a damaged header', changeBytes(417 * 1000, 0x00), PACKET_COUNT - 1],
  ['has an invalid bit rate', changeBytes(417 * 1000, 0xff, 0xfb, 0xf0), PACKET_COUNT - 1],
])('splitMp3: a file that %s is split by its packets', async (_, file, packetCount) => {
  expect(await splitFileOrThrow(file)).toEqual(await splitFileOrThrow(createPackets(MPEG1_128, packetCount)))
})

test.each([PACKET_COUNT - 1, PACKET_COUNT + 1])(
  'splitMp3: an info packet that wrongly announces %i packets is corrected',
  async (announcedPackets) => {
    const { frames } = await splitFileOrThrow(withInfoPacket(validFile, announcedPackets, { delay: 576, padding: 1000 }))
    expect(frames).toBe(PACKET_COUNT * 1152 - 576 - 529)
  },
)

test('findPackets: only the packet that the damage may have reached, and the later packets that lack data because of the damage, are silenced', async () => {
  const damagedFile = changeBytes(417 * 1000, 0x00)
  const { bytes, packets } = (await findPackets(damagedFile, 0)) ?? {}
  const createSideInformation = (index: number) => [
    ...(bytes?.subarray((packets?.packetStarts[index] ?? 0) + 4, (packets?.packetStarts[index] ?? 0) + 36) ?? []),
  ]
  expect(createSideInformation(998)).toEqual(Array(32).fill(0x55))
  expect(createSideInformation(999)).toEqual(Array(32).fill(0))
  expect(createSideInformation(1000)).toEqual(Array(32).fill(0))
  expect(createSideInformation(1001)).toEqual(Array(32).fill(0x55))
})
