import { expect, test, vi } from 'vitest'
import { type Decoded, decode } from './decode.ts'
import { createOddFiles, type OddFile } from './testing/odd-files.ts'

const AT_ONCE = 4
const MAX_MS = 5000

async function checkSound({ sound, details, kind }: Decoded) {
  expect(kind).toBe('decoded')
  expect(sound.frames).toBeGreaterThan(0)
  expect(sound.sampleRate).toBeGreaterThanOrEqual(3000)
  expect(details.peaks.values).toHaveLength(2 * Math.ceil(sound.frames / details.peaks.framesPerPeak))
  const last = Array.from({ length: sound.channels }, () => new Float32Array(1))
  await sound.read(sound.frames - 1, last)
  for (const [sample] of last) expect(sample).toSatisfy(Number.isFinite)
  sound.dispose()
}

test('of odd and damaged files, each comes to what it should, and soon', { timeout: 120_000 }, async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  const files = await createOddFiles()
  expect(files.length).toBeGreaterThan(200)
  const wrong: string[] = []

  async function check({ what, file, outcomes, frames }: OddFile, index: number) {
    const beginMs = performance.now()
    // By turns in memory and onto the disk.
    const result = await decode(file, index % 2 === 0 ? {} : { memoryBytes: 0 })
    const tookMs = performance.now() - beginMs
    if (tookMs > MAX_MS) wrong.push(`${what}: ${Math.round(tookMs)} ms`)
    if (!outcomes.includes(result.kind)) wrong.push(`${what}: ${result.kind}`)
    if (result.kind !== 'decoded') return
    if (frames !== undefined && frames !== result.sound.frames) wrong.push(`${what}: ${result.sound.frames} frames`)
    await checkSound(result)
  }

  const queue = [...files.entries()]
  const next = async () => {
    for (let entry = queue.shift(); entry !== undefined; entry = queue.shift()) await check(entry[1], entry[0])
  }
  await Promise.all(Array.from({ length: AT_ONCE }, next))
  expect(wrong).toEqual([])
})
