import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { mixDown } from '../../dsp/mix-down.ts'
import { decodeBytes, decodeBytesOrThrow, measureLevelDb } from './testing/decode-bytes.ts'

const workFolder = mkdtempSync(join(tmpdir(), 'varispeed-formats-'))
afterAll(() => rmSync(workFolder, { recursive: true, force: true }))

/** Runs ffmpeg, which writes a file named `fileName`. Returns the content of the file. */
function runFfmpeg(fileName: string, ...args: string[]): Buffer {
  const file = join(workFolder, fileName)
  execFileSync('ffmpeg', ['-v', 'error', '-y', ...args, file])
  return readFileSync(file)
}

const SOUND_SECONDS = 4
const createSineArgs = (rate = 44_100, layout = '0.4*sin(2*PI*440*t)|0.3*sin(2*PI*660*t)') => [
  ...['-f', 'lavfi', '-i', `aevalsrc=${layout}:s=${rate}:d=${SOUND_SECONDS}`],
]

/** Decodes a file by ffmpeg alone. Returns interleaved samples. */
function decodeByFfmpeg(bytes: Uint8Array, ...ffmpegOptions: string[]): Float32Array<ArrayBuffer> {
  const inputPath = join(workFolder, 'judged')
  writeFileSync(inputPath, bytes)
  const raw = execFileSync('ffmpeg', ['-v', 'quiet', ...ffmpegOptions, '-i', inputPath, '-f', 'f32le', '-'], { maxBuffer: 2 ** 28 })
  return new Float32Array(Uint8Array.from(raw).buffer)
}

const id3Tag = Buffer.concat([Buffer.from('ID3\x04\0\0\0\0\x07\x68'), Buffer.alloc(7 * 128 + 0x68)])
const apeTag = (() => {
  const tagBytes = Buffer.alloc(64)
  tagBytes.write('APETAGEX', 'latin1')
  tagBytes.writeUInt32LE(2000, 8)
  tagBytes.writeUInt32LE(32, 12)
  tagBytes.writeUInt32LE(0xa0000000, 20)
  return tagBytes
})()

it.each<[string, (file: Buffer) => Buffer, string, ...string[]]>([
  ['MP3 that begins inside a packet', (file) => file.subarray(100), 'a.mp3', '-b:a', '192k'],
  ['MP3 after zeros', (file) => Buffer.concat([Buffer.alloc(5000), file]), 'a.mp3', '-b:a', '128k'],
  ['MP3 after an APE tag', (file) => Buffer.concat([apeTag, file]), 'a.mp3', '-b:a', '128k'],
  ['AAC that begins inside a packet', (file) => file.subarray(50), 'a.aac', '-f', 'adts'],
  ['AAC after an ID3 tag, under the name of an MP3', (file) => Buffer.concat([id3Tag, file]), 'a.mp3', '-c:a', 'aac', '-f', 'adts'],
  ['FLAC after an ID3 tag, under the name of an MP3', (file) => Buffer.concat([id3Tag, file]), 'a.mp3', '-c:a', 'flac', '-f', 'flac'],
  ['WAV of ADPCM after an ID3 tag', (file) => Buffer.concat([id3Tag, file]), 'a.wav', '-c:a', 'adpcm_ms'],
  ['FLAC of 192 kHz', (file) => file, 'a.flac', '-ar', '192000'],
  ['MPEG layer II', (file) => file, 'a.mp2'],
])('conversion: %s has the length and the level of its sound', async (_, changeBytes, fileName, ...codecArguments) => {
  const { sampleRate, channels } = await decodeBytesOrThrow(
    changeBytes(runFfmpeg(fileName, ...createSineArgs(48_000), ...codecArguments)),
    { name: fileName },
  )
  expect(sampleRate).toBe(codecArguments.includes('192000') ? 192_000 : 48_000)
  expect(channels).toHaveLength(2)
  expect(Math.abs((channels[0]?.length ?? 0) / sampleRate - SOUND_SECONDS)).toBeLessThan(0.1)
  expect(measureLevelDb(channels[0])).toBeCloseTo(20 * Math.log10(0.4 / Math.SQRT2), 0)
  expect(measureLevelDb(channels[1])).toBeCloseTo(20 * Math.log10(0.3 / Math.SQRT2), 0)
})

it.each([
  ['surround.flac', '-c:a', 'flac'],
  ['surround.m4a', '-c:a', 'aac', '-b:a', '384k'],
])("conversion: 5.1 sound in %s is mixed to the same level as in the maker's page", async (fileName, ...codecArguments) => {
  const channelExpressions = [300, 500, 700, 50, 900, 1100].map((hz) => `0.2*sin(2*PI*${hz}*t)`).join('|')
  const surroundFile = runFfmpeg(fileName, ...createSineArgs(48_000, `${channelExpressions}:c=5.1`), ...codecArguments)
  const interleavedSamples = decodeByFfmpeg(surroundFile)
  const sourceChannels = Array.from({ length: 6 }, (_, channel) => interleavedSamples.filter((_sample, index) => index % 6 === channel))
  const expectedChannels = mixDown(sourceChannels, 0x3f)
  const { channels } = await decodeBytesOrThrow(surroundFile, { name: fileName })
  for (const [index, samples] of channels.entries())
    expect(Math.abs(measureLevelDb(samples) - measureLevelDb(expectedChannels[index]))).toBeLessThan(0.1)
})

it.each(['192k', '320k'])(
  'conversion: missing bytes in an MP3 file of %s cause no loud click, which would make the rest of the song quieter',
  async (kbps) => {
    const noiseArguments = ['-f', 'lavfi', '-i', `anoisesrc=a=0.3:c=pink:seed=1:d=${SOUND_SECONDS}`]
    const wholeFile = runFfmpeg('noise.mp3', ...noiseArguments, '-b:a', kbps)
    const measurePeak = (samples: Float32Array = new Float32Array()) =>
      samples.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0)
    const peakLevel = measurePeak((await decodeBytesOrThrow(wholeFile)).channels[0])
    for (let damageIndex = 0; damageIndex < 12; damageIndex++) {
      const damagedFile = Buffer.from(wholeFile)
      const damagedByte = Math.floor(wholeFile.length / 4) + damageIndex * 1237
      damagedFile.fill(0, damagedByte, damagedByte + 2000)
      const { channels, sampleRate } = await decodeBytesOrThrow(damagedFile)
      expect(measurePeak(channels[0]), `damage at ${damagedByte}`).toBeLessThan(1.2 * peakLevel)
      expect((channels[0]?.length ?? 0) / sampleRate).toBeGreaterThan(SOUND_SECONDS - 0.3)
    }
    const tag = Buffer.concat([wholeFile.subarray(0, wholeFile.length / 2), id3Tag, wholeFile.subarray(wholeFile.length / 2)])
    expect(measurePeak((await decodeBytesOrThrow(tag)).channels[0])).toBeLessThan(1.2 * peakLevel)
  },
)

it('conversion: two concatenated MP3 files are both decoded', async () => {
  const file = runFfmpeg('joined.mp3', ...createSineArgs(), '-b:a', '128k')
  const { channels, sampleRate } = await decodeBytesOrThrow(Buffer.concat([file, file]))
  expect((channels[0]?.length ?? 0) / sampleRate).toBeGreaterThan(2 * SOUND_SECONDS - 0.05)
})

it('conversion: an edit of an MP4 file whose duration is 0 plays to the end of the file', async () => {
  const editedFile = runFfmpeg('edited.m4a', ...createSineArgs(), '-c:a', 'aac', '-movflags', '+faststart')
  const editListOffset = editedFile.indexOf('elst', 0, 'latin1')
  expect(editListOffset).toBeGreaterThan(0)
  // The duration of the first edit follows the version and the number of edits.
  editedFile.writeUInt32BE(0, editListOffset + 12)
  const { channels, sampleRate } = await decodeBytesOrThrow(editedFile)
  expect(Math.abs((channels[0]?.length ?? 0) / sampleRate - SOUND_SECONDS)).toBeLessThan(0.06)
})

it('conversion: DTS in a WAV file is decoded, not played as samples', async () => {
  const file = runFfmpeg('dts.wav', ...createSineArgs(48_000), '-c:a', 'dca', '-strict', '-2', '-f', 'wav')
  const { channels } = await decodeBytesOrThrow(file)
  expect(measureLevelDb(channels[0])).toBeCloseTo(20 * Math.log10(0.4 / Math.SQRT2), 0)
})

it('conversion: raw samples that begin like the header of another format are decoded as raw samples', async () => {
  const rawSamples = runFfmpeg('a.pcm', ...createSineArgs(), '-f', 's16le')
  for (const start of [Buffer.from([0xff, 0xff]), Buffer.from([0xfe, 0xff]), Buffer.from([0xff, 0xfb])]) {
    start.copy(rawSamples)
    expect((await decodeBytesOrThrow(rawSamples, { name: 'a.pcm' })).channels[0]).toHaveLength(SOUND_SECONDS * 44_100)
  }
  expect(await decodeBytes(rawSamples.subarray(2), { name: 'a.pcm' })).toBe('refused')
})
