import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createArraySource, joinBytes } from './byte-source.ts'
import { parseWav, readWav, WavError } from './read-wav.ts'
import { fitsWavLimit, MAX_WAV_BYTES, type WavDescription, wavHeader, wavSizeBytes, wavTrailer } from './wav.ts'

const stereo: WavDescription = { format: 'int16', channels: 2, sampleRate: 44_100, frames: 3 }

/** Returns a WAV file with the given samples. */
function wavFile(description: WavDescription, samples: Int16Array | Float32Array): Uint8Array<ArrayBuffer> {
  const header = wavHeader(description)
  const bytes = new Uint8Array(header.byteLength + samples.byteLength)
  bytes.set(header)
  bytes.set(new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength), header.byteLength)
  return bytes
}

it('wavHeader: a PCM header has the 44 standard bytes', () => {
  const header = Buffer.from(wavHeader(stereo))
  expect(header.toString('hex')).toBe(
    ['52494646300000005741564', '5666d742010000000010002', '0044ac000010b102000400100064617461', '0c000000'].join(''),
  )
})

it('wavHeader: a float header has an extension size and a fact chunk', () => {
  const header = Buffer.from(wavHeader({ ...stereo, format: 'float32' }))
  expect(header.toString('latin1', 12, 16)).toBe('fmt ')
  expect(header.readUInt32LE(16)).toBe(18)
  expect(header.readUInt16LE(20)).toBe(3)
  expect(header.toString('latin1', 38, 42)).toBe('fact')
  expect(header.readUInt32LE(46)).toBe(3)
  expect(header.readUInt32LE(4) + 8).toBe(header.byteLength + 24)
})

it('readWav: files with the header that wavHeader writes are read', async () => {
  const anyTags = fc.record(
    {
      title: fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => !text.includes('\0')),
      artist: fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => !text.includes('\0')),
      bpm: fc.integer({ min: 1, max: 400 }),
    },
    { requiredKeys: [] },
  )
  const anyFrameCount = fc.nat(20)
  const anyChannelCount = fc.integer({ min: 1, max: 6 })
  await fc.assert(
    fc.asyncProperty(
      anyTags,
      anyFrameCount,
      anyChannelCount,
      fc.constantFrom(8000, 44_100, 192_000),
      fc.boolean(),
      async (tags, frames, channels, sampleRate, isFloat) => {
        const description: WavDescription = { format: isFloat ? 'float32' : 'int16', channels, sampleRate, frames, tags }
        const values = Array.from({ length: frames * channels }, (_, index) => Math.round(Math.sin(index) * 32_767))
        const samples = isFloat ? Float32Array.from(values, (value) => value / 32_768) : Int16Array.from(values)
        const bytes = wavFile(description, samples)
        expect(bytes.byteLength).toBe(wavSizeBytes(description))
        const wav = await readWav(bytes)
        expect(wav).toMatchObject({ sampleRate, frames, tags, bitsPerSample: isFloat ? 32 : 16 })
        wav.channels.forEach((channel, index) => {
          expect([...channel]).toEqual(values.filter((_, at) => at % channels === index).map((value) => value / 32_768))
        })
      },
    ),
  )
})

it('readWav reads 8, 24 and 32 bits, doubles, extensible formats and truncated files', async () => {
  const buildWav = (tag: number, bits: number, samples: number[], extraFormatBytes = '') => {
    const formatChunkBytes = extraFormatBytes === '' ? 16 : 40
    const headerBytes = Buffer.alloc(20 + formatChunkBytes + 8)
    headerBytes.write('RIFF', 0)
    headerBytes.write('WAVEfmt ', 8)
    headerBytes.writeUInt32LE(formatChunkBytes, 16)
    headerBytes.writeUInt16LE(tag, 20)
    headerBytes.writeUInt16LE(1, 22)
    headerBytes.writeUInt32LE(8000, 24)
    headerBytes.writeUInt16LE(bits, 34)
    if (extraFormatBytes !== '') headerBytes.writeUInt16LE(Number(extraFormatBytes), 44)
    headerBytes.write('data', 20 + formatChunkBytes)
    headerBytes.writeUInt32LE(1000, 24 + formatChunkBytes)
    return new Uint8Array(Buffer.concat([headerBytes, Buffer.from(samples)]))
  }
  expect([...((await readWav(buildWav(1, 8, [0, 128, 192]))).channels[0] ?? [])]).toEqual([-1, 0, 0.5])
  expect([...((await readWav(buildWav(1, 24, [0, 0, 0xc0, 0, 0, 0x40, 9]))).channels[0] ?? [])]).toEqual([-0.5, 0.5])
  expect([...((await readWav(buildWav(1, 32, [0, 0, 0, 0x80]))).channels[0] ?? [])]).toEqual([-1])
  expect([...((await readWav(buildWav(3, 64, [0, 0, 0, 0, 0, 0, 0xe0, 0x3f]))).channels[0] ?? [])]).toEqual([0.5])
  expect([...((await readWav(buildWav(0xfffe, 16, [0, 0x40], '1'))).channels[0] ?? [])]).toEqual([0.5])
  await expect(readWav(buildWav(2, 4, [0]))).rejects.toThrow(WavError)
})

it('readWav throws only WavError, for any bytes', async () => {
  await expect(readWav(new Uint8Array(0))).rejects.toThrow(WavError)
  const wavBytes = wavFile({ ...stereo, tags: { title: 'a' } }, new Int16Array(6))
  await fc.assert(
    fc.asyncProperty(fc.nat(wavBytes.length - 1), fc.nat(255), fc.nat(wavBytes.length), async (offset, value, length) => {
      const bytes = wavBytes.slice(0, length)
      bytes[offset] = value
      try {
        await readWav(bytes)
      } catch (error) {
        expect(error).toBeInstanceOf(WavError)
      }
    }),
    { numRuns: 2000 },
  )
})

it('wavSizeBytes and fitsWavLimit show before writing whether a file would be too large', () => {
  const frames = Math.floor((MAX_WAV_BYTES - 44) / 4)
  expect(fitsWavLimit({ ...stereo, frames })).toBe(true)
  expect(wavHeader({ ...stereo, frames }).byteLength).toBe(44)
  expect(fitsWavLimit({ ...stereo, frames: frames + 1 })).toBe(false)
  expect(() => wavHeader({ ...stereo, frames: frames + 1 })).toThrow(RangeError)
})

it('WAV: samples of odd size and an ID3 tag of odd size are padded, and the tag is found', async () => {
  const id3 = Uint8Array.from([1, 2, 3])
  const description: WavDescription = { format: 'int24', channels: 1, sampleRate: 44_100, frames: 1, id3Bytes: id3.length }
  const { before, after } = wavTrailer(description)
  const file = joinBytes([wavHeader(description), Uint8Array.from([0, 0, 0xc0]), before, id3, after])
  expect(file).toHaveLength(wavSizeBytes(description))
  expect(new DataView(file.buffer).getUint32(4, true)).toBe(file.length - 8)
  expect(await readWav(file)).toMatchObject({ bitsPerSample: 24, frames: 1, channels: [Float32Array.of(-0.5)] })
  const { id3: range } = (await parseWav(createArraySource(file))) ?? {}
  expect(file.subarray(range?.start, range?.end)).toEqual(id3)
})
