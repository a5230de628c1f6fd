import { expect, test, vi } from 'vitest'
import { expectFasterThan } from '../../testing/timing.ts'
import { type DecodeSuccess, decodeSoundFile } from './decode.ts'
import { createOddFiles, type OddFile } from './testing/odd-files.ts'

const DECODE_CONCURRENCY = 4
const MAX_DECODE_MS = 5000

async function checkSound({ sound, details, kind }: DecodeSuccess) {
  expect(kind).toBe('decoded')
  expect(sound.frames).toBeGreaterThan(0)
  expect(sound.sampleRate).toBeGreaterThanOrEqual(3000)
  expect(details.peaks.values).toHaveLength(2 * Math.ceil(sound.frames / details.peaks.framesPerPeak))
  const lastSamples = Array.from({ length: sound.channels }, () => new Float32Array(1))
  await sound.read(sound.frames - 1, lastSamples)
  for (const [sample] of lastSamples) expect(sample).toSatisfy(Number.isFinite)
  sound.dispose()
}

test('decode: unusual and damaged files have the expected result within 5 s', { tags: ['long'] }, async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  const files = await createOddFiles()
  expect(files.length).toBeGreaterThan(200)
  const wrongResults: string[] = []
  let longestDecodingMs = 0

  async function checkFile({ description, file, outcomes, frames: expectedFrames }: OddFile, index: number) {
    const beginMs = performance.now()
    // Decodes the files alternately in memory and to the disk.
    const decodeResult = await decodeSoundFile(file, index % 2 === 0 ? {} : { memoryBytes: 0 })
    const tookMs = performance.now() - beginMs
    longestDecodingMs = Math.max(longestDecodingMs, tookMs)
    if (!outcomes.includes(decodeResult.kind)) wrongResults.push(`${description}: ${decodeResult.kind}`)
    if (decodeResult.kind !== 'decoded') return
    if (expectedFrames !== undefined && expectedFrames !== decodeResult.sound.frames)
      wrongResults.push(`${description}: ${decodeResult.sound.frames} frames`)
    await checkSound(decodeResult)
  }

  const fileQueue = [...files.entries()]
  const checkNextFile = async () => {
    for (let indexedFile = fileQueue.shift(); indexedFile !== undefined; indexedFile = fileQueue.shift())
      await checkFile(indexedFile[1], indexedFile[0])
  }
  await Promise.all(Array.from({ length: DECODE_CONCURRENCY }, checkNextFile))
  expect(wrongResults).toEqual([])
  expectFasterThan(longestDecodingMs, MAX_DECODE_MS)
})
