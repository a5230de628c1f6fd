import { describe, expect, it } from 'vitest'
import { createArraySource } from './byte-source.ts'
import { parseWav, readWav } from './read-wav.ts'

type Bytes = Uint8Array<ArrayBuffer>

const SAMPLES = [1000, -2000, 3000, -4000]
const asText = (text: string) => [...Buffer.from(text, 'latin1')]
const encodeNumbers = (bytes: number, values: readonly number[], isBigEndian = false) =>
  values.flatMap((value) => {
    const littleEndian = Array.from({ length: bytes }, (_, index) => Math.floor(value / 256 ** index) & 0xff)
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

function formatChunk({ tag = 1, channels = 1, bits = 16, extension = [], isBigEndian = false, ...options }: FormatOptions = {}): number[] {
  const { frameBytes = (channels * bits) / 8, bytesPerSecond = 8000 * frameBytes } = options
  const [n2, n4] = [
    (...values: number[]) => encodeNumbers(2, values, isBigEndian),
    (...values: number[]) => encodeNumbers(4, values, isBigEndian),
  ]
  return createChunk('fmt ', [...n2(tag, channels), ...n4(8000, bytesPerSecond), ...n2(frameBytes, bits), ...extension], { isBigEndian })
}

function createChunk(
  id: string,
  content: readonly number[],
  { size = content.length, isPadded = true, isBigEndian = false } = {},
): number[] {
  return [
    ...asText(id),
    ...encodeNumbers(4, [size], isBigEndian),
    ...content,
    ...(isPadded ? Array<number>(content.length & 1).fill(0) : []),
  ]
}

function createRiff(chunks: readonly (readonly number[])[], { id = 'RIFF', size = undefined as number | undefined } = {}): Bytes {
  const body = [...asText('WAVE'), ...chunks.flat()]
  return Uint8Array.from([...asText(id), ...encodeNumbers(4, [size ?? body.length], id === 'RIFX'), ...body])
}

const samples16 = encodeNumbers(2, SAMPLES)
const expectedSamples = SAMPLES.map((sample) => sample / 32_768)
const samplesOf = async (bytes: Bytes) => [...((await readWav(bytes)).channels[0] ?? [])]
/** Whether the headers announce more samples than the file has. */
async function isCut(bytes: Bytes) {
  const data = (await parseWav(createArraySource(bytes)))?.data
  return data !== undefined && data.declaredEnd > bytes.length
}

describe('readWav: sizes that a program left open are found by the end of the file', () => {
  it.each([
    ['0', 0],
    ['2^31 - 1', 0x7fffffff],
    ['about 2^31', 0x7ffff000],
    ['2^32 - 1', 0xffffffff],
    ['about 2^32', 0xfffff000],
    ['the size of the file', 44 + 8],
  ])('samples are read up to the end of the file if the data chunk states the size %s', async (_, size) => {
    const bytes = createRiff([formatChunk(), createChunk('data', samples16, { size })])
    expect(await samplesOf(bytes)).toEqual(expectedSamples)
    expect(await isCut(bytes)).toBe(false)
  })

  it.each([0x7fffffff, 0x7ffff024, 0xfffffff0])(
    'a complete file does not count as truncated if the file header also states the size %i',
    async (size) => {
      expect(await isCut(createRiff([formatChunk(), createChunk('data', samples16, { size: size - 36 })], { size }))).toBe(false)
    },
  )

  it.each([0, 0xffffffff, 4088])('samples are read up to the end of the file if the file header states the size %i', async (size) => {
    const bytes = createRiff([formatChunk(), createChunk('data', samples16, { size: 0 })], { size })
    expect(await samplesOf(bytes)).toEqual(expectedSamples)
  })
})

it('readWav: an empty data chunk that is followed by another chunk has no samples', async () => {
  expect(
    await samplesOf(createRiff([formatChunk(), createChunk('data', []), createChunk('LIST', asText('INFOISFT\x04\0\0\0abc\0'))])),
  ).toEqual([])
})

it('parseWav: a file that was cut off is shorter than its headers announce', async () => {
  const bytes = createRiff([formatChunk(), createChunk('data', encodeNumbers(2, Array(200).fill(99)))])
  expect(await isCut(bytes)).toBe(false)
  expect(await isCut(bytes.slice(0, 200))).toBe(true)
})

it('readWav: in an RF64 file, the size of the samples is read from ds64, and later chunks are not read as samples', async () => {
  const ds64 = createChunk('ds64', [...encodeNumbers(4, [0, 0, samples16.length, 0, SAMPLES.length, 0, 0])])
  const chunks = [
    ds64,
    formatChunk(),
    createChunk('data', samples16, { size: 0xffffffff }),
    createChunk('iXML', asText('<xml/>'.repeat(100))),
  ]
  for (const id of ['RF64', 'BW64']) expect(await samplesOf(createRiff(chunks, { id, size: 0xffffffff }))).toEqual(expectedSamples)
})

it('readWav: big-endian files (RIFX) are read', async () => {
  const chunks = [formatChunk({ isBigEndian: true }), createChunk('data', encodeNumbers(2, SAMPLES, true), { isBigEndian: true })]
  expect(await samplesOf(createRiff(chunks, { id: 'RIFX' }))).toEqual(expectedSamples)
})

it('readWav: chunks of odd size are read with and without padding', async () => {
  for (const isPadded of [true, false])
    expect(
      await samplesOf(createRiff([createChunk('note', [1, 2, 3], { isPadded }), formatChunk(), createChunk('data', samples16)])),
    ).toEqual(expectedSamples)
})

describe('readWav: samples of 24 bits in 32', () => {
  const samples24 = [100_001, -200_003, 300_007]
  const expected24 = samples24.map((sample) => sample / 2 ** 23)
  const extension = [...encodeNumbers(2, [22, 24]), ...encodeNumbers(4, [4]), 1, 0, ...Array<number>(14).fill(0)]

  it.each([
    ['left-aligned', samples24.map((sample) => sample * 256)],
    ['right-aligned', samples24],
  ])('readWav: samples of 24 bits in 32 are read if they are %s', async (_, values) => {
    const data = createChunk('data', encodeNumbers(4, values))
    expect(await samplesOf(createRiff([formatChunk({ bits: 24, frameBytes: 4 }), data]))).toEqual(expected24)
  })

  it('readWav: samples of 24 bits in 32 are read from a file in the extensible format', async () => {
    const data = createChunk(
      'data',
      encodeNumbers(
        4,
        samples24.map((sample) => sample * 256),
      ),
    )
    expect(await samplesOf(createRiff([formatChunk({ tag: 0xfffe, bits: 32, extension }), data]))).toEqual(expected24)
  })
})

it('readWav: a frame size that contradicts the bytes per second is ignored', async () => {
  expect(await samplesOf(createRiff([formatChunk({ frameBytes: 4, bytesPerSecond: 16_000 }), createChunk('data', samples16)]))).toEqual(
    expectedSamples,
  )
})

it('readWav: samples of 12 bits that are stored in 16 bits are read', async () => {
  const values = [16, -32, 2032].map((value) => value * 16)
  expect(await samplesOf(createRiff([formatChunk({ bits: 12, frameBytes: 2 }), createChunk('data', encodeNumbers(2, values))]))).toEqual(
    values.map((value) => value / 32_768),
  )
})

describe('parseWav: a compressed stream in place of samples', () => {
  const frameWith = (sync: readonly number[]) => [...sync, ...Array.from({ length: 2008 }, (_, index) => (index * 7) % 251)]
  const isEncoded = async (content: readonly number[]) =>
    (await parseWav(createArraySource(createRiff([formatChunk(), createChunk('data', content)]))))?.data?.isEncodedStream

  it.each([
    ['DTS', [0xfe, 0x7f, 0x01, 0x80]],
    ['DTS, big-endian', [0x7f, 0xfe, 0x80, 0x01]],
    ['DTS of 14 bits', [0xff, 0x1f, 0x00, 0xe8]],
    ['IEC 61937', [0x72, 0xf8, 0x1f, 0x4e]],
  ])('readWav: %s is recognised by two sync words', async (_, sync) => {
    expect(await isEncoded([...frameWith(sync), ...frameWith(sync)])).toBe(true)
    expect(await isEncoded([...frameWith(sync), ...frameWith([0, 0, 0, 0])])).toBe(false)
  })
})

it('readWav: tags in UTF-8 and in Windows-1252 are read', async () => {
  const titleOf = async (title: readonly number[]) =>
    (
      await readWav(
        createRiff([
          formatChunk(),
          createChunk('LIST', [...asText('INFO'), ...createChunk('INAM', [...title, 0])]),
          createChunk('data', samples16),
        ]),
      )
    ).tags.title
  expect(await titleOf([...Buffer.from('Beyoncé, 夜')])).toBe('Beyoncé, 夜')
  expect(await titleOf(asText('Beyonc\xe9'))).toBe('Beyoncé')
})

it('parseWav: the speakers of a file are read from its channel mask', async () => {
  const extension = [...encodeNumbers(2, [22, 16]), ...encodeNumbers(4, [0x107]), 1, 0, ...Array<number>(14).fill(0)]
  const maskOf = async (options: FormatOptions) =>
    (await parseWav(createArraySource(createRiff([formatChunk({ channels: 4, ...options }), createChunk('data', samples16)]))))?.format
      ?.channelMask
  expect(await maskOf({ tag: 0xfffe, extension })).toBe(0x107)
  expect(await maskOf({})).toBeUndefined()
})
