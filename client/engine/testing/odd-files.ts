import type { LoadFailure, SoundFile } from '../engine.ts'
import { createSoundFile, fixtureBytes, fixtureNames } from './fixtures.ts'
import { sineTone, type WavFileOptions, wavFile } from './wav-file.ts'

export type DecodingOutcome = 'decoded' | LoadFailure['kind']

export interface OddFile {
  readonly description: string
  readonly file: SoundFile
  /** The results of decoding that the test accepts. */
  readonly outcomes: readonly DecodingOutcome[]
  /** The exact number of frames to which the file must decode. */
  readonly frames?: number | undefined
}

const DECODED_ONLY: readonly DecodingOutcome[] = ['decoded']
/** A damaged file may decode up to the damage, or not at all. */
const DECODED_OR_REFUSED: readonly DecodingOutcome[] = ['decoded', 'undecodable', 'unsupported-codec', 'incomplete', 'no-sound']

const UNDECODABLE_NAMES = ['alac.m4a']

/** Creates more than 200 truncated, damaged, misnamed and unusual files. They are the same on each call. */
export async function createOddFiles(): Promise<OddFile[]> {
  const decodableNames = fixtureNames.filter((name) => !UNDECODABLE_NAMES.includes(name))
  const originalFiles = await Promise.all(decodableNames.map(async (name) => ({ name, bytes: await fixtureBytes(name) })))
  return [
    ...originalFiles.flatMap(({ name, bytes }) => [...cutFiles(name, bytes), ...damagedFiles(name, bytes), ...misnamedFiles(name, bytes)]),
    ...wavFiles(),
    ...cutWavFiles(),
    ...damagedWavFiles(),
    ...filesWithoutAudio(),
    ...(await refusedFiles()),
  ]
}

function cutFiles(name: string, bytes: Uint8Array<ArrayBuffer>): OddFile[] {
  // A truncated M4A file must be refused, because its index is at the end. Other files that are truncated after their headers decode up to
  // the cut. An Ogg file that is decoded to the disk loses its last pages.
  const needsEnd = name.endsWith('.m4a')
  return [1, 4, 20, 0.05, 0.3, 0.6, 0.9].map((cutAt) => {
    // Where the file is truncated: below 1 a share of the file, otherwise a number of bytes.
    const cutByte = cutAt < 1 ? Math.floor(cutAt * bytes.length) : cutAt
    const outcomes = needsEnd
      ? cutByte < 8
        ? (['undecodable'] as const)
        : (['incomplete', 'undecodable'] as const)
      : cutAt >= 0.6 && cutAt < 1 && !/khz|\.o|webm|surround/.test(name)
        ? DECODED_ONLY
        : DECODED_OR_REFUSED
    return { description: `${name} cut after ${cutByte} bytes`, file: createSoundFile(name, bytes.slice(0, cutByte)), outcomes }
  })
}

function damagedFiles(name: string, bytes: Uint8Array<ArrayBuffer>): OddFile[] {
  return [1, 3, 10, 40, 150].map((damagedByteCount) => {
    const random = createRandom(damagedByteCount + bytes.length)
    const damagedBytes = bytes.slice()
    for (let index = 0; index < damagedByteCount; index++) damagedBytes[random(damagedBytes.length)] = random(256)
    // The number of frames is not checked, because a damaged header may announce any length.
    return {
      description: `${name} with ${damagedByteCount} damaged bytes`,
      file: createSoundFile(name, damagedBytes),
      outcomes: [...DECODED_OR_REFUSED, 'too-large'],
    }
  })
}

const misnamedFiles = (name: string, bytes: Uint8Array<ArrayBuffer>): OddFile[] =>
  ['a.wav', 'no name'].map((otherName) => ({
    description: `${name} called ${otherName}`,
    file: createSoundFile(otherName, bytes),
    outcomes: DECODED_ONLY,
  }))

const WAV_FORMATS: readonly WavFileOptions[] = [
  { bits: 8 },
  { bits: 16 },
  { bits: 24 },
  { bits: 32 },
  { bits: 32, float: true },
  { bits: 64, float: true },
  { bits: 24, extensible: true },
]

function wavFiles(): OddFile[] {
  return WAV_FORMATS.flatMap((options) =>
    [8000, 22_050, 44_100, 96_000, 192_000].map((sampleRate, index) => ({
      description: `WAV ${JSON.stringify(options)} at ${sampleRate} Hz`,
      file: createSoundFile('a.wav', wavFile(Array<number[]>(index + 1).fill(sineTone(3000)), { ...options, sampleRate })),
      outcomes: DECODED_ONLY,
      frames: 3000,
    })),
  )
}

function cutWavFiles(): OddFile[] {
  const bytes = wavFile([sineTone(1000), sineTone(1000)])
  return [1, 11, 12, 19, 30, 36, 43, 44, 47, 48, 49, 1000, 4043].map((endByte) => {
    const frames = Math.floor((endByte - 44) / 4)
    const expectedResult = frames > 0 ? 'decoded' : endByte < 36 ? 'undecodable' : 'no-sound'
    return {
      description: `WAV cut after ${endByte} bytes`,
      file: createSoundFile('a.wav', bytes.slice(0, endByte)),
      outcomes: [expectedResult],
      frames: frames > 0 ? frames : undefined,
    }
  })
}

function damagedWavFiles(): OddFile[] {
  return Array.from({ length: 12 }, (_, index) => {
    const random = createRandom(index + 1)
    const bytes = wavFile([sineTone(1000), sineTone(1000)], { bits: 32, float: true })
    const inHeader = index % 2 === 0
    for (let count = 0; count < 5; count++) bytes[inHeader ? random(44) : 44 + random(8000)] = random(256)
    return inHeader
      ? { description: `WAV with another header ${index}`, file: createSoundFile('a.wav', bytes), outcomes: DECODED_OR_REFUSED }
      : { description: `WAV with other samples ${index}`, file: createSoundFile('a.wav', bytes), outcomes: DECODED_ONLY, frames: 1000 }
  })
}

function filesWithoutAudio(): OddFile[] {
  const random = createRandom(7)
  const noise = Uint8Array.from({ length: 20_000 }, () => random(256))
  const contents: readonly (readonly [string, BlobPart])[] = [
    ['a page', '<!doctype html><title>404</title>'.repeat(50)],
    ['noise', noise],
    ['zeros', new Uint8Array(50_000)],
    ['a picture', new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, ...noise.subarray(0, 500)])],
  ]
  return contents.flatMap(([description, content]) => [
    ...['a.mp3', 'a.wav', 'a.m4a', 'a.flac', 'a.ogg', 'a.aac'].map(
      (name): OddFile => ({
        description: `${description} called ${name}`,
        file: createSoundFile(name, content),
        outcomes: ['undecodable'],
      }),
    ),
    { description, file: createSoundFile('a.bin', content), outcomes: ['invalid-type'] },
  ])
}

async function refusedFiles(): Promise<OddFile[]> {
  const [aac, alac] = await Promise.all(['aac.m4a', 'alac.m4a'].map(fixtureBytes))
  if (aac === undefined || alac === undefined) throw new Error('a fixture is missing')
  const protectedBytes = aac.slice()
  protectedBytes.set(new TextEncoder().encode('enca'), new TextDecoder('latin1').decode(aac).indexOf('mp4a'))
  return [
    { description: 'M4A that is protected', file: createSoundFile('a.m4a', protectedBytes), outcomes: ['protected'] },
    { description: 'ALAC', file: createSoundFile('a.m4a', alac), outcomes: ['unsupported-codec'] },
    { description: '0 bytes', file: createSoundFile('a.mp3', ''), outcomes: ['no-sound'] },
    { description: 'WAV of one frame', file: createSoundFile('a.wav', wavFile([[0.5]])), outcomes: DECODED_ONLY, frames: 1 },
  ]
}

/** Returns a generator of integers from 0 to below a limit. It is a linear congruential generator. */
function createRandom(seed: number): (limit: number) => number {
  let randomState = seed
  return (limit) => {
    randomState = (Math.imul(randomState, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((randomState / 2 ** 32) * limit)
  }
}
