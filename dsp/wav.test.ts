import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createArraySource, joinBytes } from './byte-source.ts'
import { parseWav, readWav, WavError } from './read-wav.ts'
import { computeWavSizeBytes, encodeWavHeader, encodeWavTrailer, fitsWavLimit, MAX_WAV_BYTES, type WavDescription } from './wav.ts'

const stereo: WavDescription = { format: 'int16', channels: 2, sampleRate: 44_100, frames: 3 }

/** Returns a WAV file with the given samples. */
function createWavFile(description: WavDescription, samples: Int16Array | Float32Array): Uint8Array<ArrayBuffer> {
  const headerBytes = encodeWavHeader(description)
  const fileBytes = new Uint8Array(headerBytes.byteLength + samples.byteLength)
  fileBytes.set(headerBytes)
  fileBytes.set(new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength), headerBytes.byteLength)
  return fileBytes
}

it('encodeWavHeader: a PCM header has the 44 standard bytes', () => {
  const headerBytes = Buffer.from(encodeWavHeader(stereo))
  expect(headerBytes.toString('hex')).toBe(
    ['52494646300000005741564', '5666d742010000000010002', '0044ac000010b102000400100064617461', '0c000000'].join(''),
  )
})

it('encodeWavHeader: a float header has an extension size and a fact chunk', () => {
  const headerBytes = Buffer.from(encodeWavHeader({ ...stereo, format: 'float32' }))
  expect(headerBytes.toString('latin1', 12, 16)).toBe('fmt ')
  expect(headerBytes.readUInt32LE(16)).toBe(18)
  expect(headerBytes.readUInt16LE(20)).toBe(3)
  expect(headerBytes.toString('latin1', 38, 42)).toBe('fact')
  expect(headerBytes.readUInt32LE(46)).toBe(3)
  expect(headerBytes.readUInt32LE(4) + 8).toBe(headerBytes.byteLength + 24)
})

it('readWav: files with a header of encodeWavHeader are read', async () => {
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
      async (fileTags, frameCount, channelCount, sampleRate, isFloat) => {
        const description: WavDescription = {
          format: isFloat ? 'float32' : 'int16',
          channels: channelCount,
          sampleRate,
          frames: frameCount,
          tags: fileTags,
        }
        const sampleValues = Array.from({ length: frameCount * channelCount }, (_, index) => Math.round(Math.sin(index) * 32_767))
        const wavSamples = isFloat ? Float32Array.from(sampleValues, (value) => value / 32_768) : Int16Array.from(sampleValues)
        const fileBytes = createWavFile(description, wavSamples)
        expect(fileBytes.byteLength).toBe(computeWavSizeBytes(description))
        const wav = await readWav(fileBytes)
        expect(wav).toMatchObject({ sampleRate, frames: frameCount, tags: fileTags, bitsPerSample: isFloat ? 32 : 16 })
        wav.channels.forEach((channel, index) => {
          expect([...channel]).toEqual(sampleValues.filter((_, at) => at % channelCount === index).map((value) => value / 32_768))
        })
      },
    ),
  )
})

it('readWav reads 8, 24 and 32 bits, doubles, extensible formats and truncated files', async () => {
  const buildWav = (formatTag: number, sampleBits: number, samples: number[], extraFormatBytes = '') => {
    const formatChunkBytes = extraFormatBytes === '' ? 16 : 40
    const headerBytes = Buffer.alloc(20 + formatChunkBytes + 8)
    headerBytes.write('RIFF', 0)
    headerBytes.write('WAVEfmt ', 8)
    headerBytes.writeUInt32LE(formatChunkBytes, 16)
    headerBytes.writeUInt16LE(formatTag, 20)
    headerBytes.writeUInt16LE(1, 22)
    headerBytes.writeUInt32LE(8000, 24)
    headerBytes.writeUInt16LE(sampleBits, 34)
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
  const wavBytes = createWavFile({ ...stereo, tags: { title: 'a' } }, new Int16Array(6))
  await fc.assert(
    fc.asyncProperty(fc.nat(wavBytes.length - 1), fc.nat(255), fc.nat(wavBytes.length), async (changedOffset, byteValue, keptLength) => {
      const fileBytes = wavBytes.slice(0, keptLength)
      fileBytes[changedOffset] = byteValue
      try {
        await readWav(fileBytes)
      } catch (error) {
        expect(error).toBeInstanceOf(WavError)
      }
    }),
    { numRuns: 2000 },
  )
})

it('computeWavSizeBytes and fitsWavLimit show before writing whether a file would be too large', () => {
  const maxFrames = Math.floor((MAX_WAV_BYTES - 44) / 4)
  expect(fitsWavLimit({ ...stereo, frames: maxFrames })).toBe(true)
  expect(encodeWavHeader({ ...stereo, frames: maxFrames }).byteLength).toBe(44)
  expect(fitsWavLimit({ ...stereo, frames: maxFrames + 1 })).toBe(false)
  expect(() => encodeWavHeader({ ...stereo, frames: maxFrames + 1 })).toThrow(RangeError)
})

it('WAV: samples of odd size and an ID3 tag of odd size are padded, and the tag is found', async () => {
  const id3Bytes = Uint8Array.from([1, 2, 3])
  const description: WavDescription = { format: 'int24', channels: 1, sampleRate: 44_100, frames: 1, id3Bytes: id3Bytes.length }
  const { bytesBeforeTag, bytesAfterTag } = encodeWavTrailer(description)
  const fileBytes = joinBytes([encodeWavHeader(description), Uint8Array.from([0, 0, 0xc0]), bytesBeforeTag, id3Bytes, bytesAfterTag])
  expect(fileBytes).toHaveLength(computeWavSizeBytes(description))
  expect(new DataView(fileBytes.buffer).getUint32(4, true)).toBe(fileBytes.length - 8)
  expect(await readWav(fileBytes)).toMatchObject({ bitsPerSample: 24, frames: 1, channels: [Float32Array.of(-0.5)] })
  const { id3: range } = (await parseWav(createArraySource(fileBytes))) ?? {}
  expect(fileBytes.subarray(range?.start, range?.end)).toEqual(id3Bytes)
})
