import type { LoadFailure, SoundFile } from '../engine.ts'
import { fileOf, fixtureBytes, fixtureNames } from './fixtures.ts'
import { tone, type WavFileOptions, wavFile } from './wav-file.ts'

export type Outcome = 'decoded' | LoadFailure['kind']

export interface OddFile {
  readonly what: string
  readonly file: SoundFile
  /** What may come of it. */
  readonly outcomes: readonly Outcome[]
  /** Where it must be decoded in just so many frames. */
  readonly frames?: number | undefined
}

const DECODED: readonly Outcome[] = ['decoded']
/** Of a damaged file, as much as there is, or nothing. */
const PERHAPS: readonly Outcome[] = ['decoded', 'undecodable', 'no-sound']

const notDecodable = ['alac.m4a', 'aiff.aiff', 'opus.webm']

/** More than 200 files as people have them, the same each time. */
export async function createOddFiles(): Promise<OddFile[]> {
  const names = fixtureNames.filter((name) => !notDecodable.includes(name))
  const whole = await Promise.all(names.map(async (name) => ({ name, bytes: await fixtureBytes(name) })))
  return [
    ...whole.flatMap(({ name, bytes }) => [...cutFiles(name, bytes), ...damagedFiles(name, bytes), ...misnamedFiles(name, bytes)]),
    ...wavFiles(),
    ...cutWavFiles(),
    ...damagedWavFiles(),
    ...notSounds(),
    ...(await refusedFiles()),
  ]
}

function cutFiles(name: string, bytes: Uint8Array<ArrayBuffer>): OddFile[] {
  // What tells how to read it stands at the end of these. Of others a part is left that is longer than their headers; Ogg, read from the disk,
  // loses its last pages.
  const needsEnd = name.endsWith('.m4a')
  return [1, 4, 20, 0.05, 0.3, 0.6, 0.9].map((part) => {
    const end = part < 1 ? Math.floor(part * bytes.length) : part
    const outcomes = needsEnd ? ['undecodable' as const] : part >= 0.6 && part < 1 && !/khz|\.o|surround/.test(name) ? DECODED : PERHAPS
    return { what: `${name} cut after ${end} bytes`, file: fileOf(name, bytes.slice(0, end)), outcomes }
  })
}

function damagedFiles(name: string, bytes: Uint8Array<ArrayBuffer>): OddFile[] {
  return [1, 3, 10, 40, 150].map((count) => {
    const random = createRandom(count + bytes.length)
    const damaged = bytes.slice()
    for (let index = 0; index < count; index++) damaged[random(damaged.length)] = random(256)
    // A header may then tell of any length.
    return { what: `${name} with ${count} other bytes`, file: fileOf(name, damaged), outcomes: [...PERHAPS, 'too-large'] }
  })
}

const misnamedFiles = (name: string, bytes: Uint8Array<ArrayBuffer>): OddFile[] =>
  ['a.wav', 'no name'].map((other) => ({ what: `${name} called ${other}`, file: fileOf(other, bytes), outcomes: DECODED }))

const FORMATS: readonly WavFileOptions[] = [
  { bits: 8 },
  { bits: 16 },
  { bits: 24 },
  { bits: 32 },
  { bits: 32, float: true },
  { bits: 64, float: true },
  { bits: 24, extensible: true },
]

function wavFiles(): OddFile[] {
  return FORMATS.flatMap((options) =>
    [8000, 22_050, 44_100, 96_000, 192_000].map((sampleRate, index) => ({
      what: `WAV ${JSON.stringify(options)} at ${sampleRate} Hz`,
      file: fileOf('a.wav', wavFile(Array<number[]>(index + 1).fill(tone(3000)), { ...options, sampleRate })),
      outcomes: DECODED,
      frames: 3000,
    })),
  )
}

function cutWavFiles(): OddFile[] {
  const bytes = wavFile([tone(1000), tone(1000)])
  return [1, 11, 12, 19, 30, 36, 43, 44, 47, 48, 49, 1000, 4043].map((end) => {
    const frames = Math.floor((end - 44) / 4)
    const outcome = frames > 0 ? 'decoded' : end < 36 ? 'undecodable' : 'no-sound'
    return {
      what: `WAV cut after ${end} bytes`,
      file: fileOf('a.wav', bytes.slice(0, end)),
      outcomes: [outcome],
      frames: frames > 0 ? frames : undefined,
    }
  })
}

function damagedWavFiles(): OddFile[] {
  return Array.from({ length: 12 }, (_, index) => {
    const random = createRandom(index + 1)
    const bytes = wavFile([tone(1000), tone(1000)], { bits: 32, float: true })
    const inHeader = index % 2 === 0
    for (let count = 0; count < 5; count++) bytes[inHeader ? random(44) : 44 + random(8000)] = random(256)
    return inHeader
      ? { what: `WAV with another header ${index}`, file: fileOf('a.wav', bytes), outcomes: PERHAPS }
      : { what: `WAV with other samples ${index}`, file: fileOf('a.wav', bytes), outcomes: DECODED, frames: 1000 }
  })
}

function notSounds(): OddFile[] {
  const random = createRandom(7)
  const noise = Uint8Array.from({ length: 20_000 }, () => random(256))
  const contents: readonly (readonly [string, BlobPart])[] = [
    ['a page', '<!doctype html><title>404</title>'.repeat(50)],
    ['noise', noise],
    ['zeros', new Uint8Array(50_000)],
    ['a picture', new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, ...noise.subarray(0, 500)])],
  ]
  return contents.flatMap(([what, content]) => [
    ...['a.mp3', 'a.wav', 'a.m4a', 'a.flac', 'a.ogg', 'a.aac'].map(
      (name): OddFile => ({ what: `${what} called ${name}`, file: fileOf(name, content), outcomes: ['undecodable'] }),
    ),
    { what, file: fileOf('a.bin', content), outcomes: ['invalid-type'] },
  ])
}

async function refusedFiles(): Promise<OddFile[]> {
  const [aac, alac, aiff] = await Promise.all(['aac.m4a', 'alac.m4a', 'aiff.aiff'].map(fixtureBytes))
  if (aac === undefined || alac === undefined || aiff === undefined) throw new Error('a fixture is missing')
  const protectedBytes = aac.slice()
  protectedBytes.set(new TextEncoder().encode('enca'), new TextDecoder('latin1').decode(aac).indexOf('mp4a'))
  return [
    { what: 'M4A that is protected', file: fileOf('a.m4a', protectedBytes), outcomes: ['protected'] },
    { what: 'ALAC', file: fileOf('a.m4a', alac), outcomes: ['undecodable'] },
    { what: 'AIFF', file: fileOf('a.aiff', aiff), outcomes: ['invalid-type'] },
    { what: '0 bytes', file: fileOf('a.mp3', ''), outcomes: ['no-sound'] },
    { what: 'WAV of one frame', file: fileOf('a.wav', wavFile([[0.5]])), outcomes: DECODED, frames: 1 },
  ]
}

/** Whole numbers from 0 to below a limit, by a linear congruence. */
function createRandom(seed: number): (limit: number) => number {
  let state = seed
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}
