import type { LoadFailure, SoundFile } from '../engine.ts'
import { createSoundFile, fixtureNames, readFixtureBytes } from './fixtures.ts'
import { createWavBytes, synthesizeSine, type WavFileOptions } from './wav-file.ts'

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
  const originalFiles = await Promise.all(decodableNames.map(async (name) => ({ name, bytes: await readFixtureBytes(name) })))
  return [
    ...originalFiles.flatMap(({ name, bytes }) => [
      ...createTruncatedFiles(name, bytes),
      ...createDamagedFiles(name, bytes),
      ...createMisnamedFiles(name, bytes),
    ]),
    ...createWavFiles(),
    ...createTruncatedWavFiles(),
    ...createDamagedWavFiles(),
    ...createFilesWithoutAudio(),
    ...(await createRefusedFiles()),
  ]
}

function createTruncatedFiles(fileName: string, bytes: Uint8Array<ArrayBuffer>): OddFile[] {
  // A truncated M4A file must be refused, because its index is at the end. Other files that are truncated after their headers decode up to
  // the cut. An Ogg file that is decoded to the disk loses its last pages.
  const needsFileEnd = fileName.endsWith('.m4a')
  return [1, 4, 20, 0.05, 0.3, 0.6, 0.9].map((cutAt) => {
    // Where the file is truncated: below 1 a share of the file, otherwise a number of bytes.
    const cutByte = cutAt < 1 ? Math.floor(cutAt * bytes.length) : cutAt
    const expectedOutcomes = needsFileEnd
      ? cutByte < 8
        ? (['undecodable'] as const)
        : (['incomplete', 'undecodable'] as const)
      : cutAt >= 0.6 && cutAt < 1 && !/khz|\.o|webm|surround/.test(fileName)
        ? DECODED_ONLY
        : DECODED_OR_REFUSED
    return {
      description: `${fileName} cut after ${cutByte} bytes`,
      file: createSoundFile(fileName, bytes.slice(0, cutByte)),
      outcomes: expectedOutcomes,
    }
  })
}

function createDamagedFiles(fileName: string, bytes: Uint8Array<ArrayBuffer>): OddFile[] {
  return [1, 3, 10, 40, 150].map((damagedByteCount) => {
    const drawRandomBelow = createRandomGenerator(damagedByteCount + bytes.length)
    const damagedBytes = bytes.slice()
    for (let index = 0; index < damagedByteCount; index++) damagedBytes[drawRandomBelow(damagedBytes.length)] = drawRandomBelow(256)
    // The number of frames is not checked, because a damaged header may announce any length.
    return {
      description: `${fileName} with ${damagedByteCount} damaged bytes`,
      file: createSoundFile(fileName, damagedBytes),
      outcomes: [...DECODED_OR_REFUSED, 'too-large'],
    }
  })
}

const createMisnamedFiles = (fileName: string, bytes: Uint8Array<ArrayBuffer>): OddFile[] =>
  ['a.wav', 'no name'].map((otherName) => ({
    description: `${fileName} called ${otherName}`,
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

function createWavFiles(): OddFile[] {
  return WAV_FORMATS.flatMap((wavOptions) =>
    [8000, 22_050, 44_100, 96_000, 192_000].map((sampleRate, index) => ({
      description: `WAV ${JSON.stringify(wavOptions)} at ${sampleRate} Hz`,
      file: createSoundFile('a.wav', createWavBytes(Array<number[]>(index + 1).fill(synthesizeSine(3000)), { ...wavOptions, sampleRate })),
      outcomes: DECODED_ONLY,
      frames: 3000,
    })),
  )
}

function createTruncatedWavFiles(): OddFile[] {
  const bytes = createWavBytes([synthesizeSine(1000), synthesizeSine(1000)])
  return [1, 11, 12, 19, 30, 36, 43, 44, 47, 48, 49, 1000, 4043].map((endByte) => {
    const frameCount = Math.floor((endByte - 44) / 4)
    const expectedResult = frameCount > 0 ? 'decoded' : endByte < 36 ? 'undecodable' : 'no-sound'
    return {
      description: `WAV cut after ${endByte} bytes`,
      file: createSoundFile('a.wav', bytes.slice(0, endByte)),
      outcomes: [expectedResult],
      frames: frameCount > 0 ? frameCount : undefined,
    }
  })
}

function createDamagedWavFiles(): OddFile[] {
  return Array.from({ length: 12 }, (_, index) => {
    const drawRandomBelow = createRandomGenerator(index + 1)
    const bytes = createWavBytes([synthesizeSine(1000), synthesizeSine(1000)], { bits: 32, float: true })
    const isInHeader = index % 2 === 0
    for (let count = 0; count < 5; count++) bytes[isInHeader ? drawRandomBelow(44) : 44 + drawRandomBelow(8000)] = drawRandomBelow(256)
    return isInHeader
      ? { description: `WAV with another header ${index}`, file: createSoundFile('a.wav', bytes), outcomes: DECODED_OR_REFUSED }
      : { description: `WAV with other samples ${index}`, file: createSoundFile('a.wav', bytes), outcomes: DECODED_ONLY, frames: 1000 }
  })
}

function createFilesWithoutAudio(): OddFile[] {
  const drawRandomBelow = createRandomGenerator(7)
  const noiseBytes = Uint8Array.from({ length: 20_000 }, () => drawRandomBelow(256))
  const contentRows: readonly (readonly [string, BlobPart])[] = [
    ['a page', '<!doctype html><title>404</title>'.repeat(50)],
    ['noise', noiseBytes],
    ['zeros', new Uint8Array(50_000)],
    ['a picture', new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, ...noiseBytes.subarray(0, 500)])],
  ]
  return contentRows.flatMap(([description, fileContent]) => [
    ...['a.mp3', 'a.wav', 'a.m4a', 'a.flac', 'a.ogg', 'a.aac'].map(
      (fileName): OddFile => ({
        description: `${description} called ${fileName}`,
        file: createSoundFile(fileName, fileContent),
        outcomes: ['undecodable'],
      }),
    ),
    { description, file: createSoundFile('a.bin', fileContent), outcomes: ['invalid-type'] },
  ])
}

async function createRefusedFiles(): Promise<OddFile[]> {
  const [aacBytes, alacBytes] = await Promise.all(['aac.m4a', 'alac.m4a'].map(readFixtureBytes))
  if (aacBytes === undefined || alacBytes === undefined) throw new Error('a fixture is missing')
  const protectedBytes = aacBytes.slice()
  protectedBytes.set(new TextEncoder().encode('enca'), new TextDecoder('latin1').decode(aacBytes).indexOf('mp4a'))
  return [
    { description: 'M4A that is protected', file: createSoundFile('a.m4a', protectedBytes), outcomes: ['protected'] },
    { description: 'ALAC', file: createSoundFile('a.m4a', alacBytes), outcomes: ['unsupported-codec'] },
    { description: '0 bytes', file: createSoundFile('a.mp3', ''), outcomes: ['no-sound'] },
    { description: 'WAV of one frame', file: createSoundFile('a.wav', createWavBytes([[0.5]])), outcomes: DECODED_ONLY, frames: 1 },
  ]
}

/** Returns a generator of integers from 0 to below a limit. It is a linear congruential generator. */
function createRandomGenerator(seed: number): (limit: number) => number {
  let randomState = seed
  return (upperLimit) => {
    randomState = (Math.imul(randomState, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((randomState / 2 ** 32) * upperLimit)
  }
}
