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

const folder = mkdtempSync(join(tmpdir(), 'varispeed-odd-'))
export const removeOddAudioFiles = () => rmSync(folder, { recursive: true, force: true })

/** Runs ffmpeg, and returns the file that it writes. */
function runFfmpeg(extension: string, ...options: readonly string[]): Buffer {
  const path = join(folder, `out.${extension}`)
  execFileSync('ffmpeg', ['-nostdin', '-v', 'error', '-y', ...options, path])
  return readFileSync(path)
}

/**
 * Returns the measurement that the decoded sound of a file must have: `expected` of the file, or by default the measurement of the sound
 * that ffmpeg decodes.
 */
export const expectedMeasurement = async (sound: OddAudioFile): Promise<Partial<SoundMeasurement>> =>
  sound.expected ?? decodedByFfmpeg(sound)

async function decodedByFfmpeg({ name, content }: OddAudioFile): Promise<SoundMeasurement> {
  const path = join(folder, name)
  writeFileSync(path, content)
  return measureSound(await readWav(new Uint8Array(runFfmpeg('wav', '-i', path, '-map', '0:a:0', '-c:a', 'pcm_f32le', '-bitexact'))))
}

/**
 * The places at which the frequency of the sound is measured, as shares of its length: neither at the ends nor in the middle, where one
 * tone follows another.
 */
const TONE_PLACES = [0.1, 0.4, 0.9]

/** Measures a decoded sound. */
export function measureSound({ channels, sampleRate, frames }: Wav): SoundMeasurement {
  const [samples = new Float32Array()] = channels
  const windowFrames = Math.round(0.1 * sampleRate)
  const toneAt = (share: number) => {
    const start = Math.max(0, Math.round(share * (frames - windowFrames)))
    return frequencyOf(samples.subarray(start, start + windowFrames), sampleRate)
  }
  return {
    seconds: frames / sampleRate,
    sampleRate,
    channels: channels.length,
    levels: channels.map((each) => 10 * Math.log10(each.reduce((sum, sample) => sum + sample * sample, 0) / each.length + 1e-20)),
    tones: TONE_PLACES.map(toneAt),
  }
}

/** Returns the frequency of a tone by its upward zero crossings. */
function frequencyOf(samples: Float32Array, sampleRate: number): number {
  const crossingIndexes: number[] = []
  for (let frame = 1; frame < samples.length; frame++)
    if ((samples[frame - 1] ?? 0) < 0 && (samples[frame] ?? 0) >= 0) crossingIndexes.push(frame)
  return crossingIndexes.length < 2
    ? 0
    : ((crossingIndexes.length - 1) * sampleRate) / ((crossingIndexes.at(-1) ?? 0) - (crossingIndexes[0] ?? 0))
}

const LEVEL_DB = 1
const TONE_SHARE = 0.05

/** Returns a description of each property whose measured value differs from the expected value. */
export function describeDifferences(
  heardSound: SoundMeasurement,
  expectedSound: Partial<SoundMeasurement>,
  toleranceS = 0.06,
): readonly string[] {
  const isNear = (key: 'seconds' | 'sampleRate' | 'channels', tolerance: number) =>
    Math.abs(heardSound[key] - (expectedSound[key] ?? heardSound[key])) <= tolerance
  const areNear = (key: 'levels' | 'tones', tolerance: (value: number) => number) =>
    (expectedSound[key] ?? []).every((value, index) => Math.abs((heardSound[key][index] ?? Number.NaN) - value) <= tolerance(value))
  const faults = [
    isNear('seconds', toleranceS) || 'seconds',
    isNear('sampleRate', 0) || 'sampleRate',
    isNear('channels', 0) || 'channels',
    areNear('levels', () => LEVEL_DB) || 'levels',
    areNear('tones', (value) => TONE_SHARE * value) || 'tones',
  ] as const
  return faults.flatMap((key) =>
    key === true ? [] : [`${key}: ${JSON.stringify(heardSound[key])} instead of ${JSON.stringify(expectedSound[key])}`],
  )
}

/** Encodes a sequence of tones of one second each. */
function encodeTones(
  extension: string,
  hz: readonly number[],
  options: readonly string[] = [],
  { rate = 44_100, channels = 2 } = {},
): Buffer {
  const frequency = hz.slice(1).reduce((rest, value, index) => `if(lt(t,${index + 1}),${rest},${value})`, String(hz[0]))
  const expression = Array.from({ length: channels }, () => `0.3*sin(2*PI*${frequency}*t)`).join('|')
  return runFfmpeg(extension, '-f', 'lavfi', '-i', `aevalsrc='${expression}':s=${rate}:d=${hz.length}`, ...options)
}

const encodeText = (characters: string) => Buffer.from(characters, 'latin1')
const u16 = (...values: readonly number[]) => Buffer.from(values.flatMap((value) => [value & 255, (value >> 8) & 255]))
const u32 = (...values: readonly number[]) => Buffer.concat(values.map((value) => u16(value & 0xffff, Math.floor(value / 65_536))))
const concat = (...parts: readonly Uint8Array[]) => Buffer.concat(parts)
/** Returns a copy of `content` in which `bytes` replace the bytes at `offset`. */
function replaceBytes(content: Buffer, offset: number, bytes: Uint8Array): Buffer {
  const copy = Buffer.from(content)
  copy.set(bytes, offset)
  return copy
}

const createChunk = (id: string, content: Uint8Array, size = content.length) =>
  concat(encodeText(id), u32(size), content, Buffer.alloc(content.length & 1))
const formatOf = (
  tag: number,
  channels: number,
  rate: number,
  bits: number,
  extension: Uint8Array = Buffer.alloc(0),
  frameBytes = (channels * bits) / 8,
) => createChunk('fmt ', concat(u16(tag, channels), u32(rate, rate * frameBytes), u16(frameBytes, bits), extension))
const extensionOf = (bits: number, mask: number, tag = 1) =>
  concat(u16(22, bits), u32(mask), u16(tag), Buffer.from('000000001000800000aa00389b71', 'hex'))
function createRiff(chunks: readonly Uint8Array[], { id = 'RIFF', size = undefined as number | undefined } = {}) {
  const body = concat(encodeText('WAVE'), ...chunks)
  return concat(encodeText(id), u32(size ?? body.length), body)
}

const SAMPLE_RATE = 16_000
const sineOf = (frames: number, level = 0.3, hz = 440) =>
  Array.from({ length: frames }, (_, frame) => level * Math.sin((2 * Math.PI * hz * frame) / SAMPLE_RATE))
const int16 = (samples: readonly number[]) => Buffer.from(Int16Array.from(samples, (sample) => Math.round(sample * 32_767)).buffer)
const int32 = (samples: readonly number[]) => Buffer.from(Int32Array.from(samples).buffer)
const encodeFloats = (samples: readonly number[]) => Buffer.from(Float32Array.from(samples).buffer)
/** Returns interleaved samples of `count` channels, of which all but `channel` are silent. */
const sineOnlyIn = (channel: number, count: number) =>
  sineOf(SAMPLE_RATE).flatMap((sample) => Array.from({ length: count }, (_, index) => (index === channel ? sample : 0)))

const createId3Tag = (content: Uint8Array) =>
  concat(encodeText('ID3'), Buffer.from([4, 0, 0, 0, 0, content.length >> 7, content.length & 127]), content)
const timestampTag = createId3Tag(
  concat(
    encodeText('PRIV'),
    Buffer.from([0, 0, 0, 53, 0, 0]),
    encodeText('com.apple.streaming.transportStreamTimestamp\0'),
    Buffer.alloc(8),
  ),
)
const apeTag = concat(encodeText('APETAGEX'), u32(2000, 50, 1, 0xa0000000), Buffer.alloc(8), Buffer.alloc(50, 0xff))

const UNKNOWN_CODEC = /cannot decode the codec.*Convert on the server/

const SINE_MEASUREMENT = { seconds: 1, sampleRate: SAMPLE_RATE, channels: 1, levels: [-13.5], tones: [440, 440, 440] }

function wavSounds(): readonly OddAudioFile[] {
  const format = formatOf(1, 1, SAMPLE_RATE, 16)
  const samples = int16(sineOf(SAMPLE_RATE))
  const data = createChunk('data', samples)
  const ds64 = createChunk('ds64', u32(0, 0, samples.length, 0, SAMPLE_RATE, 0, 0))
  const samples24 = sineOf(SAMPLE_RATE).map((sample) => Math.round(sample * 2 ** 23))
  const swapBytes = (content: Buffer, bytes: number) =>
    Buffer.from(content).map((_, at) => content[at - (at % bytes) + bytes - 1 - (at % bytes)] ?? 0)
  const badFloats = sineOf(SAMPLE_RATE)
  badFloats.splice(3000, 1, Number.NaN)
  badFloats.splice(8000, 1, Number.POSITIVE_INFINITY)
  badFloats.splice(12_000, 1, -1e12)
  const dts = runFfmpeg(
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
  const bigEndianFormat = concat(
    encodeText('fmt '),
    swapBytes(u32(16), 4),
    swapBytes(u16(1, 1), 2),
    swapBytes(u32(SAMPLE_RATE, 2 * SAMPLE_RATE), 4),
    swapBytes(u16(2, 16), 2),
  )
  return [
    {
      name: 'stopped-24-bit.wav',
      content: createRiff(
        [formatOf(1, 1, SAMPLE_RATE, 24), createChunk('data', concat(...samples24.map((sample) => u32(sample >>> 0).subarray(0, 3))), 0)],
        {
          size: 36,
        },
      ),
    },
    { name: 'size-2-31.wav', content: createRiff([format, createChunk('data', samples, 0x7fffffff)], { size: 0x7fffffff }) },
    { name: 'size-with-header.wav', content: createRiff([format, createChunk('data', samples, samples.length + 44)]) },
    { name: 'live.wav', content: createRiff([format, createChunk('data', samples, 0xffffffff)], { size: 0xffffffff }) },
    {
      name: 'broadcast.wav',
      content: createRiff(
        [
          ds64,
          createChunk('bext', Buffer.alloc(602)),
          format,
          createChunk('data', samples, 0xffffffff),
          createChunk('LIST', encodeText('INFOISFT\x04\0\0\0abc\0')),
        ],
        { id: 'RF64', size: 0xffffffff },
      ),
    },
    {
      name: 'bw64.wav',
      content: createRiff(
        [
          createChunk('ds64', u32(0, 0, 4 * SAMPLE_RATE, 0, SAMPLE_RATE, 0, 0)),
          formatOf(3, 1, SAMPLE_RATE, 32),
          createChunk('data', encodeFloats(sineOf(SAMPLE_RATE)), 0xffffffff),
          createChunk('axml', encodeText('<a/>'.repeat(300))),
        ],
        { id: 'BW64', size: 0xffffffff },
      ),
      expected: SINE_MEASUREMENT,
    },
    {
      name: '24-in-32.wav',
      content: createRiff([
        formatOf(1, 1, SAMPLE_RATE, 24, undefined, 4),
        createChunk('data', int32(samples24.map((sample) => sample * 256))),
      ]),
      expected: SINE_MEASUREMENT,
    },
    {
      name: '24-in-32-extensible.wav',
      content: createRiff([
        formatOf(0xfffe, 1, SAMPLE_RATE, 32, extensionOf(24, 4)),
        createChunk('data', int32(samples24.map((sample) => sample * 256))),
      ]),
      expected: SINE_MEASUREMENT,
    },
    {
      name: 'big-endian.wav',
      content: concat(
        encodeText('RIFX'),
        swapBytes(u32(36 + samples.length), 4),
        encodeText('WAVE'),
        bigEndianFormat,
        encodeText('data'),
        swapBytes(u32(samples.length), 4),
        swapBytes(samples, 2),
      ),
      expected: SINE_MEASUREMENT,
      isPageOnly: isBigEndian,
    },
    {
      name: 'dts.wav',
      content: createRiff([formatOf(1, 2, 48_000, 16), createChunk('data', swapBytes(dts, 2))]),
      refusal: UNKNOWN_CODEC,
    },
    { name: 'adpcm.wav', content: encodeTones('wav', [440, 440], ['-c:a', 'adpcm_ms']), refusal: UNKNOWN_CODEC },
    {
      name: 'bad-floats.wav',
      content: createRiff([formatOf(3, 1, SAMPLE_RATE, 32), createChunk('data', encodeFloats(badFloats))]),
      expected: SINE_MEASUREMENT,
    },
    { name: 'tag-before.wav', content: concat(createId3Tag(Buffer.alloc(300)), createRiff([format, data])), expected: SINE_MEASUREMENT },
    {
      name: 'six-tracks.wav',
      content: createRiff([formatOf(1, 6, SAMPLE_RATE, 16), createChunk('data', int16(sineOnlyIn(3, 6)))]),
      expected: { seconds: 1, channels: 2, tones: [440, 440, 440] },
    },
    {
      name: 'ten-tracks.wav',
      content: createRiff([
        formatOf(1, 10, SAMPLE_RATE, 16),
        createChunk('data', int16(sineOf(SAMPLE_RATE).flatMap((sample) => Array<number>(10).fill(sample)))),
      ]),
      expected: { seconds: 1, channels: 2, tones: [440, 440, 440] },
    },
    {
      name: 'centre.wav',
      content: createRiff([formatOf(0xfffe, 4, SAMPLE_RATE, 16, extensionOf(16, 0x107)), createChunk('data', int16(sineOnlyIn(2, 4)))]),
      expected: { seconds: 1, channels: 2, levels: [-24.1, -24.1], tones: [440, 440, 440] },
    },
    { name: 'cut-off.wav', content: createRiff([format, data]).subarray(0, 20_000), isCut: true },
  ]
}

function mp3Sounds(): readonly OddAudioFile[] {
  const lame = ['-c:a', 'libmp3lame', '-b:a', '128k']
  const plainArgs = [...lame, '-write_xing', '0', '-id3v2_version', '0']
  const taggedArgs = [...lame, '-metadata', 'title=One']
  const firstSong = encodeTones('mp3', [300, 300], taggedArgs)
  const secondSong = encodeTones('mp3', [1200, 1200], taggedArgs)
  const packets = encodeTones('mp3', [440, 440, 440], plainArgs)
  const packets48 = encodeTones('mp3', [440, 440, 440], plainArgs, { rate: 48_000 })
  const infoAt = firstSong.indexOf('Info') + 8
  const middle = packets.length >> 1
  return [
    { name: 'joined.mp3', content: concat(firstSong, secondSong) },
    {
      name: 'joined-rates.mp3',
      content: concat(packets, encodeTones('mp3', [1200, 1200, 1200], plainArgs, { rate: 48_000 })),
      toleranceS: 0.15,
    },
    {
      name: 'mono-then-stereo.mp3',
      content: concat(encodeTones('mp3', [300, 300, 300], plainArgs, { channels: 1 }), packets),
      expected: { seconds: 6.1, sampleRate: 44_100, tones: [300, 300, 440] },
      toleranceS: 0.15,
    },
    {
      name: 'endless-info.mp3',
      content: replaceBytes(firstSong, infoAt, Buffer.from([0x7f, 0xff, 0xff, 0xff])),
      expected: { seconds: 2, tones: [300, 300, 300] },
      toleranceS: 0.12,
    },
    { name: 'info-of-0.mp3', content: replaceBytes(firstSong, infoAt, Buffer.alloc(4)), toleranceS: 0.12 },
    {
      name: 'hole.mp3',
      content: replaceBytes(packets, middle, Buffer.alloc(2000)),
      expected: { seconds: 2.9, channels: 2, levels: [-13.5, -13.5] },
      toleranceS: 0.2,
    },
    { name: 'cut-with-ape-tag.mp3', content: concat(apeTag, packets48.subarray(200)), toleranceS: 0.12 },
    { name: 'after-zeros.mp3', content: concat(Buffer.alloc(5000), packets48), toleranceS: 0.12 },
    { name: 'mp3-called.wav', content: packets48 },
    {
      name: 'tag-in-the-middle.mp3',
      content: concat(firstSong, createId3Tag(Buffer.alloc(2000)), secondSong.subarray(secondSong.indexOf(Buffer.from([0xff, 0xfb])))),
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
      refusal: UNKNOWN_CODEC,
    },
  ]
}

function aacSounds(): readonly OddAudioFile[] {
  const adts = ['-c:a', 'aac', '-b:a', '96k', '-f', 'adts']
  const firstSong = encodeTones('aac', [300, 300], adts)
  const secondSong = encodeTones('aac', [1200, 1200], adts)
  const strayBytes = Buffer.from([1, 2, 3, 255, 240, 7, 255])
  return [
    {
      name: 'stray-bytes.aac',
      content: concat(firstSong, strayBytes, secondSong),
      expected: { seconds: 4.09, tones: [300, 300, 1200] },
      toleranceS: 0.15,
    },
    { name: 'radio.mp3', content: concat(timestampTag, firstSong, timestampTag, secondSong, timestampTag, firstSong), toleranceS: 0.15 },
    { name: 'inside-a-frame.aac', content: firstSong.subarray(100), toleranceS: 0.12 },
    { name: 'two-rates.aac', content: concat(firstSong, encodeTones('aac', [1200, 1200], adts, { rate: 48_000 })), toleranceS: 0.15 },
  ]
}

function flacSounds(): readonly OddAudioFile[] {
  const flac = ['-c:a', 'flac', '-sample_fmt', 's16']
  const firstSong = encodeTones('flac', [300, 300], flac)
  const secondSong = encodeTones('flac', [1200, 1200], flac)
  const noise = runFfmpeg('flac', '-f', 'lavfi', '-i', 'anoisesrc=r=8000:d=4:a=0.3:seed=1', '-ac', '1', ...flac, '-frame_size', '800')
  const STREAMINFO_AT = 8
  const frameCountBytes = (frames: number) => Buffer.from([frames >>> 24, frames >>> 16, frames >>> 8, frames])
  const syncs = [...noise.keys()].filter((at) => noise[at] === 0xff && noise[at + 1] === 0xf8)
  const sync = (index: number) => syncs[index] ?? 0
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
    { name: '64-khz.flac', content: encodeTones('flac', [440], flac, { rate: 64_000, channels: 1 }) },
    { name: '12-khz.flac', content: encodeTones('flac', [440], flac, { rate: 12_000 }) },
    {
      name: 'joined.flac',
      content: concat(firstSong, secondSong),
      expected: { seconds: 4, tones: [300, 300, 1200] },
      toleranceS: 0.1,
    },
    {
      name: 'joined-with-tag.flac',
      content: concat(firstSong, createId3Tag(Buffer.alloc(500)), secondSong),
      expected: { seconds: 4, tones: [300, 300, 1200] },
      toleranceS: 0.1,
    },
    { name: 'total-too-small.flac', content: replaceBytes(firstSong, STREAMINFO_AT + 14, frameCountBytes(8000)) },
    { name: 'frame-size.flac', content: replaceBytes(firstSong, STREAMINFO_AT + 7, Buffer.from([0, 0, 14])) },
    {
      name: 'restarts.flac',
      content: concat(firstSong, secondSong.subarray(secondSong.indexOf(Buffer.from([0xff, 0xf8])))),
      toleranceS: 0.1,
    },
    {
      name: 'damaged-headers.flac',
      content: [10, 20].reduce((content, index) => replaceBytes(content, sync(index) + 4, Buffer.from([0x7e])), noise),
      expected: { seconds: 3.8, sampleRate: 8000, channels: 1 },
      toleranceS: 0.35,
    },
    {
      name: 'tags-at-both-ends.flac',
      content: concat(createId3Tag(Buffer.alloc(700)), firstSong, encodeText('TAG'), Buffer.alloc(125)),
      toleranceS: 0.1,
    },
  ]
}

/**
 * Replaces the edit list of an M4A file. Each edit is a pair: its duration in the time scale of the movie, and its start in that of the
 * track.
 */
function withEdits(content: Buffer, edits: (movieScale: number) => readonly (readonly [number, number])[]): Buffer {
  const scale = content.readUInt32BE(content.indexOf('mvhd') + 16)
  const listAt = content.indexOf('elst')
  const listChunk = Buffer.alloc(4)
  const entries = edits(scale)
  listChunk.writeUInt32BE(entries.length)
  const words = entries.map(([duration, start]) => {
    const entry = Buffer.alloc(12)
    entry.writeUInt32BE(duration, 0)
    entry.writeInt32BE(start, 4)
    entry.writeUInt16BE(1, 8)
    return entry
  })
  const isLonger = entries.length - 1
  const longerFile = concat(content.subarray(0, listAt + 8), listChunk, ...words, content.subarray(listAt + 24))
  for (const box of isLonger > 0 ? ['elst', 'edts', 'trak', 'moov'] : []) {
    const at = content.indexOf(box) - 4
    longerFile.writeUInt32BE(content.readUInt32BE(at) + 12 * isLonger, at)
  }
  return longerFile
}

function containerSounds(): readonly OddAudioFile[] {
  const m4a = encodeTones('m4a', [300, 600, 900, 1200, 1500, 1800], ['-c:a', 'aac', '-b:a', '96k'], { channels: 1 })
  const opus = ['-c:a', 'libopus', '-b:a', '64k']
  const vorbis = encodeTones('ogg', [300, 300], ['-c:a', 'libvorbis'])
  return [
    {
      name: 'two-edits.m4a',
      content: withEdits(m4a, (scale) => [
        [scale, 1024],
        [2 * scale, 1024 + 4 * 44_100],
      ]),
      expected: { seconds: 3, tones: [300, 1500, 1800] },
    },
    { name: 'end-trimmed.m4a', content: withEdits(m4a, (scale) => [[2 * scale, 1024]]), expected: { seconds: 2, tones: [300, 300, 600] } },
    {
      name: 'starts-late.m4a',
      content: withEdits(m4a, (scale) => [
        [scale, -1],
        [6 * scale, 1024],
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
      content: concat(vorbis, encodeTones('ogg', [1200, 1200], ['-c:a', 'libvorbis'])),
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
        ...opus,
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
  ...wavSounds(),
  ...mp3Sounds(),
  ...aacSounds(),
  ...flacSounds(),
  ...containerSounds(),
]
