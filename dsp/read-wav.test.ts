import { describe, expect, it } from 'vitest'
import { createArraySource } from './byte-source.ts'
import { parseWav, readWav } from './read-wav.ts'

type Bytes = Uint8Array<ArrayBuffer>

const SAMPLES = [1000, -2000, 3000, -4000]
const toLatin1Bytes = (text: string) => [...Buffer.from(text, 'latin1')]
const encodeNumbers = (bytesPerNumber: number, numberValues: readonly number[], isBigEndian = false) =>
  numberValues.flatMap((numberValue) => {
    const littleEndian = Array.from({ length: bytesPerNumber }, (_, index) => Math.floor(numberValue / 256 ** index) & 0xff)
    return isBigEndian ? littleEndian.reverse() : littleEndian
  })

interface FormatOptions {
  readonly tag?: number
  readonly channels?: number
  readonly bits?: number
  readonly frameBytes?: number
  readonly bytesPerSecond?: number
  readonly extension?: readonly number[]
  readonly isBigEndian?: boolean
}

function createFormatChunk({
  tag = 1,
  channels = 1,
  bits = 16,
  extension = [],
  isBigEndian = false,
  ...options
}: FormatOptions = {}): number[] {
  const { frameBytes = (channels * bits) / 8, bytesPerSecond = 8000 * frameBytes } = options
  const [encodeUint16, encodeUint32] = [
    (...values: number[]) => encodeNumbers(2, values, isBigEndian),
    (...values: number[]) => encodeNumbers(4, values, isBigEndian),
  ]
  return createChunk(
    'fmt ',
    [...encodeUint16(tag, channels), ...encodeUint32(8000, bytesPerSecond), ...encodeUint16(frameBytes, bits), ...extension],
    { isBigEndian },
  )
}

function createChunk(
  chunkId: string,
  contentBytes: readonly number[],
  { size = contentBytes.length, isPadded = true, isBigEndian = false } = {},
): number[] {
  return [
    ...toLatin1Bytes(chunkId),
    ...encodeNumbers(4, [size], isBigEndian),
    ...contentBytes,
    ...(isPadded ? Array<number>(contentBytes.length & 1).fill(0) : []),
  ]
}

function createRiff(riffChunks: readonly (readonly number[])[], { id = 'RIFF', size = undefined as number | undefined } = {}): Bytes {
  const body = [...toLatin1Bytes('WAVE'), ...riffChunks.flat()]
  return Uint8Array.from([...toLatin1Bytes(id), ...encodeNumbers(4, [size ?? body.length], id === 'RIFX'), ...body])
}

const sampleBytes16 = encodeNumbers(2, SAMPLES)
const expectedSamples = SAMPLES.map((sample) => sample / 32_768)
const readSamples = async (bytes: Bytes) => [...((await readWav(bytes)).channels[0] ?? [])]
/** Whether the headers announce more samples than the file has. */
async function isDataCut(fileBytes: Bytes) {
  const data = (await parseWav(createArraySource(fileBytes)))?.data
  return data !== undefined && data.declaredEnd > fileBytes.length
}

describe('readWav: sizes that a program left open are found by the end of the file', () => {
  it.each([
    ['0', 0],
    ['2^31 - 1', 0x7fffffff],
    ['about 2^31', 0x7ffff000],
    ['2^32 - 1', 0xffffffff],
    ['about 2^32', 0xfffff000],
    ['the size of the file', 44 + 8],
  ])('samples are read up to the end of the file if the data chunk states the size %s', async (_, statedSize) => {
    const bytes = createRiff([createFormatChunk(), createChunk('data', sampleBytes16, { size: statedSize })])
    expect(await readSamples(bytes)).toEqual(expectedSamples)
    expect(await isDataCut(bytes)).toBe(false)
  })

  it.each([0x7fffffff, 0x7ffff024, 0xfffffff0])(
    'a complete file does not count as truncated if the file header also states the size %i',
    async (size) => {
      expect(await isDataCut(createRiff([createFormatChunk(), createChunk('data', sampleBytes16, { size: size - 36 })], { size }))).toBe(
        false,
      )
    },
  )

  it.each([0, 0xffffffff, 4088])('samples are read up to the end of the file if the file header states the size %i', async (statedSize) => {
    const bytes = createRiff([createFormatChunk(), createChunk('data', sampleBytes16, { size: 0 })], { size: statedSize })
    expect(await readSamples(bytes)).toEqual(expectedSamples)
  })
})

it('readWav: an empty data chunk that is followed by another chunk has no samples', async () => {
  expect(
    await readSamples(
      createRiff([createFormatChunk(), createChunk('data', []), createChunk('LIST', toLatin1Bytes('INFOISFT\x04\0\0\0abc\0'))]),
    ),
  ).toEqual([])
})

it('parseWav: a file that was cut off is shorter than its headers announce', async () => {
  const bytes = createRiff([createFormatChunk(), createChunk('data', encodeNumbers(2, Array(200).fill(99)))])
  expect(await isDataCut(bytes)).toBe(false)
  expect(await isDataCut(bytes.slice(0, 200))).toBe(true)
})

it('readWav: in an RF64 file, the size of the samples is read from ds64, and later chunks are not read as samples', async () => {
  const ds64Chunk = createChunk('ds64', [...encodeNumbers(4, [0, 0, sampleBytes16.length, 0, SAMPLES.length, 0, 0])])
  const chunkList = [
    ds64Chunk,
    createFormatChunk(),
    createChunk('data', sampleBytes16, { size: 0xffffffff }),
    createChunk('iXML', toLatin1Bytes('<xml/>'.repeat(100))),
  ]
  for (const id of ['RF64', 'BW64']) expect(await readSamples(createRiff(chunkList, { id, size: 0xffffffff }))).toEqual(expectedSamples)
})

it('readWav: big-endian files (RIFX) are read', async () => {
  const chunks = [createFormatChunk({ isBigEndian: true }), createChunk('data', encodeNumbers(2, SAMPLES, true), { isBigEndian: true })]
  expect(await readSamples(createRiff(chunks, { id: 'RIFX' }))).toEqual(expectedSamples)
})

it('readWav: chunks of odd size are read with and without padding', async () => {
  for (const isPadded of [true, false])
    expect(
      await readSamples(
        createRiff([createChunk('note', [1, 2, 3], { isPadded }), createFormatChunk(), createChunk('data', sampleBytes16)]),
      ),
    ).toEqual(expectedSamples)
})

describe('readWav: samples of 24 bits in 32', () => {
  const samples24 = [100_001, -200_003, 300_007]
  const expected24 = samples24.map((sample) => sample / 2 ** 23)
  const extensionBytes = [...encodeNumbers(2, [22, 24]), ...encodeNumbers(4, [4]), 1, 0, ...Array<number>(14).fill(0)]

  it.each([
    ['left-aligned', samples24.map((sample) => sample * 256)],
    ['right-aligned', samples24],
  ])('readWav: samples of 24 bits in 32 are read if they are %s', async (_, sampleValues) => {
    const data = createChunk('data', encodeNumbers(4, sampleValues))
    expect(await readSamples(createRiff([createFormatChunk({ bits: 24, frameBytes: 4 }), data]))).toEqual(expected24)
  })

  it('readWav: samples of 24 bits in 32 are read from a file in the extensible format', async () => {
    const dataChunk = createChunk(
      'data',
      encodeNumbers(
        4,
        samples24.map((sample) => sample * 256),
      ),
    )
    expect(await readSamples(createRiff([createFormatChunk({ tag: 0xfffe, bits: 32, extension: extensionBytes }), dataChunk]))).toEqual(
      expected24,
    )
  })
})

it('readWav: a frame size that contradicts the bytes per second is ignored', async () => {
  expect(
    await readSamples(createRiff([createFormatChunk({ frameBytes: 4, bytesPerSecond: 16_000 }), createChunk('data', sampleBytes16)])),
  ).toEqual(expectedSamples)
})

it('readWav: samples of 12 bits that are stored in 16 bits are read', async () => {
  const sampleValues = [16, -32, 2032].map((value) => value * 16)
  expect(
    await readSamples(createRiff([createFormatChunk({ bits: 12, frameBytes: 2 }), createChunk('data', encodeNumbers(2, sampleValues))])),
  ).toEqual(sampleValues.map((value) => value / 32_768))
})

describe('parseWav: a compressed stream in place of samples', () => {
  const createFrameWithSync = (sync: readonly number[]) => [...sync, ...Array.from({ length: 2008 }, (_, index) => (index * 7) % 251)]
  const isEncodedFile = async (content: readonly number[]) =>
    (await parseWav(createArraySource(createRiff([createFormatChunk(), createChunk('data', content)]))))?.data?.isEncodedStream

  it.each([
    ['DTS', [0xfe, 0x7f, 0x01, 0x80]],
    ['DTS, big-endian', [0x7f, 0xfe, 0x80, 0x01]],
    ['DTS of 14 bits', [0xff, 0x1f, 0x00, 0xe8]],
    ['IEC 61937', [0x72, 0xf8, 0x1f, 0x4e]],
  ])('readWav: %s is recognised by two sync words', async (_, syncWords) => {
    expect(await isEncodedFile([...createFrameWithSync(syncWords), ...createFrameWithSync(syncWords)])).toBe(true)
    expect(await isEncodedFile([...createFrameWithSync(syncWords), ...createFrameWithSync([0, 0, 0, 0])])).toBe(false)
  })
})

it('readWav: tags in UTF-8 and in Windows-1252 are read', async () => {
  const readTitle = async (titleBytes: readonly number[]) =>
    (
      await readWav(
        createRiff([
          createFormatChunk(),
          createChunk('LIST', [...toLatin1Bytes('INFO'), ...createChunk('INAM', [...titleBytes, 0])]),
          createChunk('data', sampleBytes16),
        ]),
      )
    ).tags.title
  expect(await readTitle([...Buffer.from('Beyoncé, 夜')])).toBe('Beyoncé, 夜')
  expect(await readTitle(toLatin1Bytes('Beyonc\xe9'))).toBe('Beyoncé')
})

it('parseWav: the speakers of a file are read from its channel mask', async () => {
  const extensionBytes = [...encodeNumbers(2, [22, 16]), ...encodeNumbers(4, [0x107]), 1, 0, ...Array<number>(14).fill(0)]
  const readChannelMask = async (options: FormatOptions) =>
    (await parseWav(createArraySource(createRiff([createFormatChunk({ channels: 4, ...options }), createChunk('data', sampleBytes16)]))))
      ?.format?.channelMask
  expect(await readChannelMask({ tag: 0xfffe, extension: extensionBytes })).toBe(0x107)
  expect(await readChannelMask({})).toBeUndefined()
})
