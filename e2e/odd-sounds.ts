import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readWav, type Wav } from '../dsp/read-wav.ts'

/**
 * A damaged or unusual audio file, such as one that was cut off, joined or mislabelled. Its sound is a sequence of tones, so that their
 * frequencies show which parts of the file were decoded.
 */
export interface OddAudioFile {
  readonly name: string
  readonly content: Buffer
  /**
   * The expected measurement of the decoded sound. It is set only if ffmpeg does not decode the file correctly; by default, the sound that ffmpeg
   * decodes is measured.
   */
  readonly expected?: Partial<SoundMeasurement>
  /** The message with which the page must refuse the file; `undefined` if the page must decode the file. */
  readonly refusal?: RegExp
  /** Whether only the page is tested, because the server does not accept the format. */
  readonly isPageOnly?: boolean
  /** Whether the page must say that the file ends early. */
  readonly isCut?: boolean
  readonly toleranceS?: number
}

/** The properties of a decoded sound that the tests compare. */
export interface SoundMeasurement {
  readonly seconds: number
  readonly sampleRate: number
  readonly channels: number
  /** The level of each channel in dBFS, by its power. */
  readonly levels: readonly number[]
  /** The frequency after a tenth, two fifths and nine tenths of the sound, in Hz. */
  readonly tones: readonly number[]
}

const workFolder = mkdtempSync(join(tmpdir(), 'varispeed-odd-'))
export const removeOddAudioFiles = () => rmSync(workFolder, { recursive: true, force: true })

/** Runs ffmpeg, and returns the file that it writes. */
function runFfmpeg(fileExtension: string, ...ffmpegOptions: readonly string[]): Buffer {
  const path = join(workFolder, `out.${fileExtension}`)
  execFileSync('ffmpeg', ['-nostdin', '-v', 'error', '-y', ...ffmpegOptions, path])
  return readFileSync(path)
}

/**
 * Returns the measurement that the decoded sound of a file must have: `expected` of the file, or by default the measurement of the sound
 * that ffmpeg decodes.
 */
export const measureExpectedSound = async (sound: OddAudioFile): Promise<Partial<SoundMeasurement>> =>
  sound.expected ?? measureByFfmpeg(sound)

async function measureByFfmpeg({ name, content }: OddAudioFile): Promise<SoundMeasurement> {
  const path = join(workFolder, name)
  writeFileSync(path, content)
  return measureSound(await readWav(new Uint8Array(runFfmpeg('wav', '-i', path, '-map', '0:a:0', '-c:a', 'pcm_f32le', '-bitexact'))))
}

/**
 * The places at which the frequency of the sound is measured, as shares of its length: neither at the ends nor in the middle, where one
 * tone follows another.
 */
const TONE_POSITION_FRACTIONS = [0.1, 0.4, 0.9]

/** Measures a decoded sound. */
export function measureSound({ channels, sampleRate, frames }: Wav): SoundMeasurement {
  const [firstChannel = new Float32Array()] = channels
  const windowFrames = Math.round(0.1 * sampleRate)
  const measureToneAt = (positionFraction: number) => {
    const start = Math.max(0, Math.round(positionFraction * (frames - windowFrames)))
    return measureFrequency(firstChannel.subarray(start, start + windowFrames), sampleRate)
  }
  return {
    seconds: frames / sampleRate,
    sampleRate,
    channels: channels.length,
    levels: channels.map((each) => 10 * Math.log10(each.reduce((sum, sample) => sum + sample * sample, 0) / each.length + 1e-20)),
    tones: TONE_POSITION_FRACTIONS.map(measureToneAt),
  }
}

/** Returns the frequency of a tone by its upward zero crossings. */
function measureFrequency(samples: Float32Array, sampleRate: number): number {
  const zeroCrossingIndexes: number[] = []
  for (let frame = 1; frame < samples.length; frame++)
    if ((samples[frame - 1] ?? 0) < 0 && (samples[frame] ?? 0) >= 0) zeroCrossingIndexes.push(frame)
  return zeroCrossingIndexes.length < 2
    ? 0
    : ((zeroCrossingIndexes.length - 1) * sampleRate) / ((zeroCrossingIndexes.at(-1) ?? 0) - (zeroCrossingIndexes[0] ?? 0))
}

const LEVEL_TOLERANCE_DB = 1
const TONE_TOLERANCE_SHARE = 0.05

/** Returns a description of each property whose measured value differs from the expected value. */
export function describeDifferences(
  measuredSound: SoundMeasurement,
  expectedSound: Partial<SoundMeasurement>,
  toleranceS = 0.06,
): readonly string[] {
  const isNumberNear = (key: 'seconds' | 'sampleRate' | 'channels', tolerance: number) =>
    Math.abs(measuredSound[key] - (expectedSound[key] ?? measuredSound[key])) <= tolerance
  const areNumbersNear = (key: 'levels' | 'tones', tolerance: (value: number) => number) =>
    (expectedSound[key] ?? []).every((value, index) => Math.abs((measuredSound[key][index] ?? Number.NaN) - value) <= tolerance(value))
  const faultTexts = [
    isNumberNear('seconds', toleranceS) || 'seconds',
    isNumberNear('sampleRate', 0) || 'sampleRate',
    isNumberNear('channels', 0) || 'channels',
    areNumbersNear('levels', () => LEVEL_TOLERANCE_DB) || 'levels',
    areNumbersNear('tones', (value) => TONE_TOLERANCE_SHARE * value) || 'tones',
  ] as const
  return faultTexts.flatMap((key) =>
    key === true ? [] : [`${key}: ${JSON.stringify(measuredSound[key])} instead of ${JSON.stringify(expectedSound[key])}`],
  )
}

/** Encodes a sequence of tones of one second each. */
function encodeTones(
  fileExtension: string,
  frequenciesHz: readonly number[],
  ffmpegOptions: readonly string[] = [],
  { rate = 44_100, channels = 2 } = {},
): Buffer {
  const frequency = frequenciesHz
    .slice(1)
    .reduce((rest, value, index) => `if(lt(t,${index + 1}),${rest},${value})`, String(frequenciesHz[0]))
  const expression = Array.from({ length: channels }, () => `0.3*sin(2*PI*${frequency}*t)`).join('|')
  return runFfmpeg(fileExtension, '-f', 'lavfi', '-i', `aevalsrc='${expression}':s=${rate}:d=${frequenciesHz.length}`, ...ffmpegOptions)
}

const encodeText = (characters: string) => Buffer.from(characters, 'latin1')
const encodeUint16 = (...values: readonly number[]) => Buffer.from(values.flatMap((value) => [value & 255, (value >> 8) & 255]))
const encodeUint32 = (...values: readonly number[]) =>
  Buffer.concat(values.map((value) => encodeUint16(value & 0xffff, Math.floor(value / 65_536))))
const concatBytes = (...parts: readonly Uint8Array[]) => Buffer.concat(parts)
/** Returns a copy of `fileContent` in which `bytes` replace the bytes at `byteOffset`. */
function replaceBytes(fileContent: Buffer, byteOffset: number, bytes: Uint8Array): Buffer {
  const copy = Buffer.from(fileContent)
  copy.set(bytes, byteOffset)
  return copy
}

const createChunk = (id: string, content: Uint8Array, size = content.length) =>
  concatBytes(encodeText(id), encodeUint32(size), content, Buffer.alloc(content.length & 1))
const createFormatChunk = (
  formatTag: number,
  channelCount: number,
  sampleRate: number,
  bitDepth: number,
  formatExtension: Uint8Array = Buffer.alloc(0),
  frameBytes = (channelCount * bitDepth) / 8,
) =>
  createChunk(
    'fmt ',
    concatBytes(
      encodeUint16(formatTag, channelCount),
      encodeUint32(sampleRate, sampleRate * frameBytes),
      encodeUint16(frameBytes, bitDepth),
      formatExtension,
    ),
  )
const createWavExtension = (bits: number, mask: number, tag = 1) =>
  concatBytes(encodeUint16(22, bits), encodeUint32(mask), encodeUint16(tag), Buffer.from('000000001000800000aa00389b71', 'hex'))
function createRiff(chunkBuffers: readonly Uint8Array[], { id = 'RIFF', size = undefined as number | undefined } = {}) {
  const body = concatBytes(encodeText('WAVE'), ...chunkBuffers)
  return concatBytes(encodeText(id), encodeUint32(size ?? body.length), body)
}

const SAMPLE_RATE = 16_000
const synthesizeSine = (frames: number, level = 0.3, hz = 440) =>
  Array.from({ length: frames }, (_, frame) => level * Math.sin((2 * Math.PI * hz * frame) / SAMPLE_RATE))
const encodeInt16 = (samples: readonly number[]) => Buffer.from(Int16Array.from(samples, (sample) => Math.round(sample * 32_767)).buffer)
const encodeInt32 = (samples: readonly number[]) => Buffer.from(Int32Array.from(samples).buffer)
const encodeFloats = (samples: readonly number[]) => Buffer.from(Float32Array.from(samples).buffer)
/** Returns interleaved samples of `count` channels, of which all but `channel` are silent. */
const synthesizeSineOnlyIn = (channel: number, count: number) =>
  synthesizeSine(SAMPLE_RATE).flatMap((sample) => Array.from({ length: count }, (_, index) => (index === channel ? sample : 0)))

const createId3Tag = (content: Uint8Array) =>
  concatBytes(encodeText('ID3'), Buffer.from([4, 0, 0, 0, 0, content.length >> 7, content.length & 127]), content)
const timestampTag = createId3Tag(
  concatBytes(
    encodeText('PRIV'),
    Buffer.from([0, 0, 0, 53, 0, 0]),
    encodeText('com.apple.streaming.transportStreamTimestamp\0'),
    Buffer.alloc(8),
  ),
)
const apeTag = concatBytes(encodeText('APETAGEX'), encodeUint32(2000, 50, 1, 0xa0000000), Buffer.alloc(8), Buffer.alloc(50, 0xff))

const UNKNOWN_CODEC_MESSAGE = /cannot decode the codec.*Convert on the server/

const SINE_MEASUREMENT = { seconds: 1, sampleRate: SAMPLE_RATE, channels: 1, levels: [-13.5], tones: [440, 440, 440] }

function createWavSounds(): readonly OddAudioFile[] {
  const formatChunk = createFormatChunk(1, 1, SAMPLE_RATE, 16)
  const sampleBytes = encodeInt16(synthesizeSine(SAMPLE_RATE))
  const dataChunk = createChunk('data', sampleBytes)
  const ds64Chunk = createChunk('ds64', encodeUint32(0, 0, sampleBytes.length, 0, SAMPLE_RATE, 0, 0))
  const samples24 = synthesizeSine(SAMPLE_RATE).map((sample) => Math.round(sample * 2 ** 23))
  const swapBytes = (content: Buffer, bytes: number) =>
    Buffer.from(content).map((_, at) => content[at - (at % bytes) + bytes - 1 - (at % bytes)] ?? 0)
  const invalidFloatSamples = synthesizeSine(SAMPLE_RATE)
  invalidFloatSamples.splice(3000, 1, Number.NaN)
  invalidFloatSamples.splice(8000, 1, Number.POSITIVE_INFINITY)
  invalidFloatSamples.splice(12_000, 1, -1e12)
  const dtsBytes = runFfmpeg(
    'dts',
    '-f',
    'lavfi',
    '-i',
    "aevalsrc='0.3*sin(880*PI*t)|0.3*sin(880*PI*t)':s=48000:d=1",
    '-c:a',
    'dca',
    '-strict',
    '-2',
  )
  const isBigEndian = true
  const bigEndianFormat = concatBytes(
    encodeText('fmt '),
    swapBytes(encodeUint32(16), 4),
    swapBytes(encodeUint16(1, 1), 2),
    swapBytes(encodeUint32(SAMPLE_RATE, 2 * SAMPLE_RATE), 4),
    swapBytes(encodeUint16(2, 16), 2),
  )
  return [
    {
      name: 'stopped-24-bit.wav',
      content: createRiff(
        [
          createFormatChunk(1, 1, SAMPLE_RATE, 24),
          createChunk('data', concatBytes(...samples24.map((sample) => encodeUint32(sample >>> 0).subarray(0, 3))), 0),
        ],
        {
          size: 36,
        },
      ),
    },
    { name: 'size-2-31.wav', content: createRiff([formatChunk, createChunk('data', sampleBytes, 0x7fffffff)], { size: 0x7fffffff }) },
    { name: 'size-with-header.wav', content: createRiff([formatChunk, createChunk('data', sampleBytes, sampleBytes.length + 44)]) },
    { name: 'live.wav', content: createRiff([formatChunk, createChunk('data', sampleBytes, 0xffffffff)], { size: 0xffffffff }) },
    {
      name: 'broadcast.wav',
      content: createRiff(
        [
          ds64Chunk,
          createChunk('bext', Buffer.alloc(602)),
          formatChunk,
          createChunk('data', sampleBytes, 0xffffffff),
          createChunk('LIST', encodeText('INFOISFT\x04\0\0\0abc\0')),
        ],
        { id: 'RF64', size: 0xffffffff },
      ),
    },
    {
      name: 'bw64.wav',
      content: createRiff(
        [
          createChunk('ds64', encodeUint32(0, 0, 4 * SAMPLE_RATE, 0, SAMPLE_RATE, 0, 0)),
          createFormatChunk(3, 1, SAMPLE_RATE, 32),
          createChunk('data', encodeFloats(synthesizeSine(SAMPLE_RATE)), 0xffffffff),
          createChunk('axml', encodeText('<a/>'.repeat(300))),
        ],
        { id: 'BW64', size: 0xffffffff },
      ),
      expected: SINE_MEASUREMENT,
    },
    {
      name: '24-in-32.wav',
      content: createRiff([
        createFormatChunk(1, 1, SAMPLE_RATE, 24, undefined, 4),
        createChunk('data', encodeInt32(samples24.map((sample) => sample * 256))),
      ]),
      expected: SINE_MEASUREMENT,
    },
    {
      name: '24-in-32-extensible.wav',
      content: createRiff([
        createFormatChunk(0xfffe, 1, SAMPLE_RATE, 32, createWavExtension(24, 4)),
        createChunk('data', encodeInt32(samples24.map((sample) => sample * 256))),
      ]),
      expected: SINE_MEASUREMENT,
    },
    {
      name: 'big-endian.wav',
      content: concatBytes(
        encodeText('RIFX'),
        swapBytes(encodeUint32(36 + sampleBytes.length), 4),
        encodeText('WAVE'),
        bigEndianFormat,
        encodeText('data'),
        swapBytes(encodeUint32(sampleBytes.length), 4),
        swapBytes(sampleBytes, 2),
      ),
      expected: SINE_MEASUREMENT,
      isPageOnly: isBigEndian,
    },
    {
      name: 'dts.wav',
      content: createRiff([createFormatChunk(1, 2, 48_000, 16), createChunk('data', swapBytes(dtsBytes, 2))]),
      refusal: UNKNOWN_CODEC_MESSAGE,
    },
    { name: 'adpcm.wav', content: encodeTones('wav', [440, 440], ['-c:a', 'adpcm_ms']), refusal: UNKNOWN_CODEC_MESSAGE },
    {
      name: 'bad-floats.wav',
      content: createRiff([createFormatChunk(3, 1, SAMPLE_RATE, 32), createChunk('data', encodeFloats(invalidFloatSamples))]),
      expected: SINE_MEASUREMENT,
    },
    {
      name: 'tag-before.wav',
      content: concatBytes(createId3Tag(Buffer.alloc(300)), createRiff([formatChunk, dataChunk])),
      expected: SINE_MEASUREMENT,
    },
    {
      name: 'six-tracks.wav',
      content: createRiff([createFormatChunk(1, 6, SAMPLE_RATE, 16), createChunk('data', encodeInt16(synthesizeSineOnlyIn(3, 6)))]),
      expected: { seconds: 1, channels: 2, tones: [440, 440, 440] },
    },
    {
      name: 'ten-tracks.wav',
      content: createRiff([
        createFormatChunk(1, 10, SAMPLE_RATE, 16),
        createChunk('data', encodeInt16(synthesizeSine(SAMPLE_RATE).flatMap((sample) => Array<number>(10).fill(sample)))),
      ]),
      expected: { seconds: 1, channels: 2, tones: [440, 440, 440] },
    },
    {
      name: 'centre.wav',
      content: createRiff([
        createFormatChunk(0xfffe, 4, SAMPLE_RATE, 16, createWavExtension(16, 0x107)),
        createChunk('data', encodeInt16(synthesizeSineOnlyIn(2, 4))),
      ]),
      expected: { seconds: 1, channels: 2, levels: [-24.1, -24.1], tones: [440, 440, 440] },
    },
    { name: 'cut-off.wav', content: createRiff([formatChunk, dataChunk]).subarray(0, 20_000), isCut: true },
  ]
}

function createMp3Sounds(): readonly OddAudioFile[] {
  const lameArguments = ['-c:a', 'libmp3lame', '-b:a', '128k']
  const plainArgs = [...lameArguments, '-write_xing', '0', '-id3v2_version', '0']
  const taggedArgs = [...lameArguments, '-metadata', 'title=One']
  const firstSong = encodeTones('mp3', [300, 300], taggedArgs)
  const secondSong = encodeTones('mp3', [1200, 1200], taggedArgs)
  const mp3Bytes = encodeTones('mp3', [440, 440, 440], plainArgs)
  const mp3Bytes48kHz = encodeTones('mp3', [440, 440, 440], plainArgs, { rate: 48_000 })
  const infoOffset = firstSong.indexOf('Info') + 8
  const middleByte = mp3Bytes.length >> 1
  return [
    { name: 'joined.mp3', content: concatBytes(firstSong, secondSong) },
    {
      name: 'joined-rates.mp3',
      content: concatBytes(mp3Bytes, encodeTones('mp3', [1200, 1200, 1200], plainArgs, { rate: 48_000 })),
      toleranceS: 0.15,
    },
    {
      name: 'mono-then-stereo.mp3',
      content: concatBytes(encodeTones('mp3', [300, 300, 300], plainArgs, { channels: 1 }), mp3Bytes),
      expected: { seconds: 6.1, sampleRate: 44_100, tones: [300, 300, 440] },
      toleranceS: 0.15,
    },
    {
      name: 'endless-info.mp3',
      content: replaceBytes(firstSong, infoOffset, Buffer.from([0x7f, 0xff, 0xff, 0xff])),
      expected: { seconds: 2, tones: [300, 300, 300] },
      toleranceS: 0.12,
    },
    { name: 'info-of-0.mp3', content: replaceBytes(firstSong, infoOffset, Buffer.alloc(4)), toleranceS: 0.12 },
    {
      name: 'hole.mp3',
      content: replaceBytes(mp3Bytes, middleByte, Buffer.alloc(2000)),
      expected: { seconds: 2.9, channels: 2, levels: [-13.5, -13.5] },
      toleranceS: 0.2,
    },
    { name: 'cut-with-ape-tag.mp3', content: concatBytes(apeTag, mp3Bytes48kHz.subarray(200)), toleranceS: 0.12 },
    { name: 'after-zeros.mp3', content: concatBytes(Buffer.alloc(5000), mp3Bytes48kHz), toleranceS: 0.12 },
    { name: 'mp3-called.wav', content: mp3Bytes48kHz },
    {
      name: 'tag-in-the-middle.mp3',
      content: concatBytes(firstSong, createId3Tag(Buffer.alloc(2000)), secondSong.subarray(secondSong.indexOf(Buffer.from([0xff, 0xfb])))),
      expected: { seconds: 4.07, channels: 2, levels: [-13.5, -13.5], tones: [300, 300, 1200] },
      toleranceS: 0.2,
    },
    {
      name: 'mpeg-2.mp3',
      content: encodeTones('mp3', [440, 440], [...plainArgs, '-b:a', '32k'], { rate: 22_050, channels: 1 }).subarray(50),
      toleranceS: 0.12,
    },
    {
      name: 'layer-2.mp3',
      content: encodeTones('mp2', [440, 440], ['-c:a', 'mp2']),
      refusal: UNKNOWN_CODEC_MESSAGE,
    },
  ]
}

function createAacSounds(): readonly OddAudioFile[] {
  const adtsArguments = ['-c:a', 'aac', '-b:a', '96k', '-f', 'adts']
  const firstSong = encodeTones('aac', [300, 300], adtsArguments)
  const secondSong = encodeTones('aac', [1200, 1200], adtsArguments)
  const strayBytes = Buffer.from([1, 2, 3, 255, 240, 7, 255])
  return [
    {
      name: 'stray-bytes.aac',
      content: concatBytes(firstSong, strayBytes, secondSong),
      expected: { seconds: 4.09, tones: [300, 300, 1200] },
      toleranceS: 0.15,
    },
    {
      name: 'radio.mp3',
      content: concatBytes(timestampTag, firstSong, timestampTag, secondSong, timestampTag, firstSong),
      toleranceS: 0.15,
    },
    { name: 'inside-a-frame.aac', content: firstSong.subarray(100), toleranceS: 0.12 },
    {
      name: 'two-rates.aac',
      content: concatBytes(firstSong, encodeTones('aac', [1200, 1200], adtsArguments, { rate: 48_000 })),
      toleranceS: 0.15,
    },
  ]
}

function createFlacSounds(): readonly OddAudioFile[] {
  const flacArguments = ['-c:a', 'flac', '-sample_fmt', 's16']
  const firstSong = encodeTones('flac', [300, 300], flacArguments)
  const secondSong = encodeTones('flac', [1200, 1200], flacArguments)
  const noiseBytes = runFfmpeg(
    'flac',
    '-f',
    'lavfi',
    '-i',
    'anoisesrc=r=8000:d=4:a=0.3:seed=1',
    '-ac',
    '1',
    ...flacArguments,
    '-frame_size',
    '800',
  )
  const STREAMINFO_OFFSET = 8
  const encodeFrameCount = (frames: number) => Buffer.from([frames >>> 24, frames >>> 16, frames >>> 8, frames])
  const syncOffsets = [...noiseBytes.keys()].filter((at) => noiseBytes[at] === 0xff && noiseBytes[at + 1] === 0xf8)
  const findSyncOffset = (index: number) => syncOffsets[index] ?? 0
  return [
    {
      name: 'hi-res.flac',
      content: runFfmpeg(
        'flac',
        '-f',
        'lavfi',
        '-i',
        "aevalsrc='0.3*sin(880*PI*t)|0.3*sin(880*PI*t)':s=192000:d=1",
        '-c:a',
        'flac',
        '-sample_fmt',
        's32',
      ),
    },
    { name: '64-khz.flac', content: encodeTones('flac', [440], flacArguments, { rate: 64_000, channels: 1 }) },
    { name: '12-khz.flac', content: encodeTones('flac', [440], flacArguments, { rate: 12_000 }) },
    {
      name: 'joined.flac',
      content: concatBytes(firstSong, secondSong),
      expected: { seconds: 4, tones: [300, 300, 1200] },
      toleranceS: 0.1,
    },
    {
      name: 'joined-with-tag.flac',
      content: concatBytes(firstSong, createId3Tag(Buffer.alloc(500)), secondSong),
      expected: { seconds: 4, tones: [300, 300, 1200] },
      toleranceS: 0.1,
    },
    { name: 'total-too-small.flac', content: replaceBytes(firstSong, STREAMINFO_OFFSET + 14, encodeFrameCount(8000)) },
    { name: 'frame-size.flac', content: replaceBytes(firstSong, STREAMINFO_OFFSET + 7, Buffer.from([0, 0, 14])) },
    {
      name: 'restarts.flac',
      content: concatBytes(firstSong, secondSong.subarray(secondSong.indexOf(Buffer.from([0xff, 0xf8])))),
      toleranceS: 0.1,
    },
    {
      name: 'damaged-headers.flac',
      content: [10, 20].reduce((content, index) => replaceBytes(content, findSyncOffset(index) + 4, Buffer.from([0x7e])), noiseBytes),
      expected: { seconds: 3.8, sampleRate: 8000, channels: 1 },
      toleranceS: 0.35,
    },
    {
      name: 'tags-at-both-ends.flac',
      content: concatBytes(createId3Tag(Buffer.alloc(700)), firstSong, encodeText('TAG'), Buffer.alloc(125)),
      toleranceS: 0.1,
    },
  ]
}

/**
 * Replaces the edit list of an M4A file. Each edit is a pair: its duration in the time scale of the movie, and its start in that of the
 * track.
 */
function replaceEditList(fileContent: Buffer, createEdits: (movieScale: number) => readonly (readonly [number, number])[]): Buffer {
  const movieTimescale = fileContent.readUInt32BE(fileContent.indexOf('mvhd') + 16)
  const editListOffset = fileContent.indexOf('elst')
  const entryCountField = Buffer.alloc(4)
  const editEntries = createEdits(movieTimescale)
  entryCountField.writeUInt32BE(editEntries.length)
  const entryBuffers = editEntries.map(([entryDuration, entryStart]) => {
    const entryBuffer = Buffer.alloc(12)
    entryBuffer.writeUInt32BE(entryDuration, 0)
    entryBuffer.writeInt32BE(entryStart, 4)
    entryBuffer.writeUInt16BE(1, 8)
    return entryBuffer
  })
  const extraEntryCount = editEntries.length - 1
  const longerFile = concatBytes(
    fileContent.subarray(0, editListOffset + 8),
    entryCountField,
    ...entryBuffers,
    fileContent.subarray(editListOffset + 24),
  )
  for (const box of extraEntryCount > 0 ? ['elst', 'edts', 'trak', 'moov'] : []) {
    const at = fileContent.indexOf(box) - 4
    longerFile.writeUInt32BE(fileContent.readUInt32BE(at) + 12 * extraEntryCount, at)
  }
  return longerFile
}

function createContainerSounds(): readonly OddAudioFile[] {
  const m4aBytes = encodeTones('m4a', [300, 600, 900, 1200, 1500, 1800], ['-c:a', 'aac', '-b:a', '96k'], { channels: 1 })
  const opusArguments = ['-c:a', 'libopus', '-b:a', '64k']
  const vorbisBytes = encodeTones('ogg', [300, 300], ['-c:a', 'libvorbis'])
  return [
    {
      name: 'two-edits.m4a',
      content: replaceEditList(m4aBytes, (movieTimescale) => [
        [movieTimescale, 1024],
        [2 * movieTimescale, 1024 + 4 * 44_100],
      ]),
      expected: { seconds: 3, tones: [300, 1500, 1800] },
    },
    {
      name: 'end-trimmed.m4a',
      content: replaceEditList(m4aBytes, (scale) => [[2 * scale, 1024]]),
      expected: { seconds: 2, tones: [300, 300, 600] },
    },
    {
      name: 'starts-late.m4a',
      content: replaceEditList(m4aBytes, (movieTimescale) => [
        [movieTimescale, -1],
        [6 * movieTimescale, 1024],
      ]),
      expected: { seconds: 6, tones: [300, 900, 1800] },
    },
    {
      name: 'late-in-a-film.mp4',
      content: runFfmpeg(
        'mp4',
        '-f',
        'lavfi',
        '-i',
        'color=s=64x64:r=5:d=5',
        '-itsoffset',
        '2',
        '-f',
        'lavfi',
        '-i',
        "aevalsrc='0.3*sin(880*PI*t)':s=44100:d=3",
        '-c:v',
        'mpeg4',
        '-c:a',
        'aac',
      ),
      expected: { seconds: 3, tones: [440, 440, 440] },
      toleranceS: 0.1,
    },
    {
      name: 'fragments.mp4',
      content: encodeTones(
        'mp4',
        [300, 600, 900],
        ['-c:a', 'aac', '-movflags', 'frag_keyframe+empty_moov+default_base_moof', '-output_ts_offset', '100000'],
      ),
      expected: { seconds: 3, tones: [300, 600, 900] },
      toleranceS: 0.1,
    },
    {
      name: 'chained.ogg',
      content: concatBytes(vorbisBytes, encodeTones('ogg', [1200, 1200], ['-c:a', 'libvorbis'])),
      isPageOnly: true,
      toleranceS: 0.1,
    },
    { name: 'flac.oga', content: encodeTones('oga', [440, 440], ['-c:a', 'flac', '-sample_fmt', 's16']), isPageOnly: true },
    {
      name: 'shorter-than-the-picture.webm',
      content: runFfmpeg(
        'webm',
        '-f',
        'lavfi',
        '-i',
        'color=s=64x64:r=5:d=6',
        '-f',
        'lavfi',
        '-i',
        "aevalsrc='0.3*sin(880*PI*t)':s=48000:d=3",
        '-c:v',
        'libvpx',
        ...opusArguments,
      ),
      isPageOnly: true,
      expected: { seconds: 3, tones: [440, 440, 440] },
    },
    {
      name: 'stopped.aiff',
      content: ((aiff) => replaceBytes(aiff, aiff.indexOf('COMM') + 10, Buffer.alloc(4)))(encodeTones('aiff', [440, 440])),
    },
  ]
}

export const createOddAudioFiles = (): readonly OddAudioFile[] => [
  ...createWavSounds(),
  ...createMp3Sounds(),
  ...createAacSounds(),
  ...createFlacSounds(),
  ...createContainerSounds(),
]
