import { afterEach, describe, expect, it } from 'vitest'
import { hash } from '../../dsp/hash.ts'
import { readWav } from '../../dsp/read-wav.ts'
import { toneSource } from '../../dsp/testing/tone.ts'
import type { MakerSettings, Position } from './engine.ts'
import { startExport } from './export.ts'
import { createPreview, type Preview, type PreviewWish } from './preview.ts'
import { createRenderPool } from './render-pool.ts'
import { createMemorySound, type Sound } from './sound.ts'
import { type Recording, record } from './testing/recorder.ts'

const SAMPLE_RATE = 44_100
const plain: MakerSettings = { speed: 1.25, pitch: 0, reverbSize: 50, reverbAmount: 0, bassDb: 0 }

let preview: Preview | undefined
afterEach(() => preview?.dispose())

const noise = (frames: number, level = 0.3) =>
  createMemorySound(
    [0, 1].map((seed) => Float32Array.from({ length: frames }, (_, frame) => (level * hash(2 * frame + seed)) / 2 ** 31)),
    SAMPLE_RATE,
  )

const tone = (frequencyHz: number, seconds: number) =>
  createMemorySound(toneSource({ frequencyHz, frames: seconds * SAMPLE_RATE }).channels as [Float32Array<ArrayBuffer>], SAMPLE_RATE)

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

function open(sound: Sound, wish: Partial<PreviewWish> = {}) {
  let start: Promise<() => Recording> | undefined
  const positions: Position[] = []
  let stops = 0
  preview = createPreview({
    sound,
    wish: { settings: plain, heard: 'edited', loop: { on: false, startS: 0, endS: sound.frames / SAMPLE_RATE }, ...wish },
    volume: 1,
    onPosition: (position) => positions.push(position),
    onPlaying: () => stops++,
    tap: (context, output) => {
      start = record(context, output)
    },
  })
  return {
    preview,
    positions,
    stops: () => stops,
    async recorded() {
      if (start === undefined) throw new Error('nothing was heard')
      return (await start)()
    },
  }
}

/** Lets the recorder in before the first sound. */
async function playRecorded(each: ReturnType<typeof open>) {
  await each.preview.play()
  each.preview.pause()
  await each.recorded()
  each.preview.seek(0)
  await sleep(100)
  await each.preview.play()
}

async function exportOf(sound: Sound, settings: MakerSettings) {
  const pool = createRenderPool(2)
  const about = { name: 'x', title: undefined, artist: undefined, bpm: undefined }
  const result = await startExport(pool, { sound, about, settings, format: 'wav-float32', sink: undefined, onProgress: () => {} }).result
  pool.dispose()
  if (result.kind !== 'exported' || result.file === undefined) throw new Error(result.kind)
  return readWav(new Uint8Array(await result.file.arrayBuffer())).channels as [Float32Array, Float32Array]
}

/** Where `piece` stands in `whole`. */
function find(piece: Float32Array, whole: Float32Array): number {
  const close = (a = 0, b = 0) => Math.abs(a - b) < 1e-4
  for (let at = 0; at + piece.length <= whole.length; at++) if (piece.every((sample, frame) => close(sample, whole[at + frame]))) return at
  return -1
}

const MARK_FRAMES = 64

describe.each<[string, MakerSettings]>([
  ['plain', plain],
  ['with all', { speed: 0.85, pitch: -1, reverbSize: 40, reverbAmount: 40, bassDb: 4 }],
])('what is heard %s', (_name, settings) => {
  it('is what is exported', async () => {
    const sound = noise(4 * SAMPLE_RATE, 0.2)
    const expected = await exportOf(sound, settings)
    const heard = open(sound, { settings })
    await playRecorded(heard)
    await sleep(2500)
    const { channels } = await heard.recorded()
    // From a tenth of a second after its beginning, which fades in, to what was heard last.
    const loud = channels[0].findLastIndex((sample) => sample !== 0) - 4000
    const startsAt = loud - 2 * SAMPLE_RATE
    const at = find(channels[0].subarray(startsAt, startsAt + MARK_FRAMES), expected[0])
    expect(at).toBeGreaterThanOrEqual(0)
    let [error, power] = [0, 0]
    for (const channel of [0, 1] as const)
      for (let frame = 0; frame < 2 * SAMPLE_RATE; frame++) {
        const ideal = expected[channel][at + frame] ?? 0
        power += ideal ** 2
        error += ((channels[channel][startsAt + frame] ?? 0) - ideal) ** 2
      }
    expect(10 * Math.log10(error / power)).toBeLessThan(-100)
  })
})

/** The largest step from a sample to the next. */
const largestStep = (samples: Float32Array) =>
  samples.reduce((most, sample, index) => Math.max(most, Math.abs(sample - (samples[index - 1] ?? sample))), 0)

it('a change of settings is heard within 50 ms, without a click', async () => {
  const heard = open(tone(220, 20))
  await playRecorded(heard)
  await sleep(500)
  const times: number[] = []
  for (let index = 0; index < 20; index++) {
    heard.preview.apply({ settings: { ...plain, speed: 0.8 + 0.03 * index, bassDb: index % 3, reverbAmount: index > 10 ? 30 : 0 } })
    await sleep(120)
    times.push(heard.preview.changeMs)
  }
  const { channels } = await heard.recorded()
  // Twice what the tone itself has at the highest speed, and far below a jump.
  expect(largestStep(channels[0])).toBeLessThan(2 * 0.7 * ((2 * Math.PI * 220 * 1.4) / SAMPLE_RATE))
  const sorted = times.toSorted((a, b) => a - b)
  expect(sorted[10]).toBeLessThan(50)
})

it('plays a loop over and over without a gap', async () => {
  // 88 whole periods of 200 frames, so that the seam itself is smooth.
  const heard = open(tone(220.5, 5), { settings: { ...plain, speed: 1 }, loop: { on: true, startS: 1, endS: 1 + 17_600 / 44_100 } })
  await playRecorded(heard)
  await sleep(1500)
  const { channels } = await heard.recorded()
  const from = channels[0].findIndex((sample) => sample !== 0) + 4410
  const piece = channels[0].subarray(from, channels[0].findLastIndex((sample) => sample !== 0) - 4410)
  expect(piece.length).toBeGreaterThan(SAMPLE_RATE)
  expect(piece.length - piece.filter((sample) => sample !== 0).length).toBeLessThan(piece.length / 50)
  expect(largestStep(piece)).toBeLessThan(1.1 * 0.5 * ((2 * Math.PI * 220.5) / SAMPLE_RATE))
  const positions = heard.positions.slice(-50).map(({ sourceS }) => sourceS)
  for (const position of positions) expect(position).toBeGreaterThanOrEqual(1)
  for (const position of positions) expect(position).toBeLessThanOrEqual(1.4)
})

it('stops at the end, and begins again from the start', async () => {
  const heard = open(tone(220, 1), { settings: { ...plain, speed: 2 } })
  await heard.preview.play()
  await expect.poll(() => heard.preview.playing, { timeout: 3000 }).toBe(false)
  expect(heard.stops()).toBe(1)
  expect(heard.positions.at(-1)).toEqual({ sourceS: 1, peakDb: [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY] })
  await heard.preview.play()
  await expect.poll(() => heard.positions.at(-1)?.sourceS).toBeLessThan(0.9)
})

it('says where it is, and goes on from there after a pause and a seek', async () => {
  const heard = open(tone(220, 30))
  const last = () => heard.positions.at(-1)?.sourceS ?? Number.NaN
  await heard.preview.play()
  await sleep(600)
  // The rate is 1.25.
  expect(last()).toBeGreaterThan(0.3)
  expect(last()).toBeLessThan(1)
  expect(heard.positions.at(-1)?.peakDb[0]).toBeGreaterThan(-7)
  heard.preview.pause()
  const paused = last()
  await sleep(100)
  expect(last()).toBe(paused)
  heard.preview.seek(20)
  expect(last()).toBe(20)
  await heard.preview.play()
  await sleep(300)
  expect(last()).toBeGreaterThan(20)
  expect(last()).toBeLessThan(21)
})

it('the original is as loud as the edit, at the same place of the music', async () => {
  // An edit that is louder: much bass under a deep tone.
  const settings = { ...plain, speed: 1.25, bassDb: 12 }
  const heard = open(tone(60, 30), { settings })
  await playRecorded(heard)
  await sleep(700)
  heard.preview.apply({ heard: 'original' })
  const before = heard.positions.at(-1)?.sourceS ?? 0
  await sleep(600)
  expect((heard.positions.at(-1)?.sourceS ?? 0) - before).toBeLessThan(0.9)
  expect((heard.positions.at(-1)?.sourceS ?? 0) - before).toBeGreaterThan(0.3)
  heard.preview.apply({ heard: 'edited' })
  await sleep(600)
  const { channels } = await heard.recorded()
  const end = channels[0].findLastIndex((sample) => sample !== 0) - 4410
  const db = (samples: Float32Array) => 10 * Math.log10(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length)
  const editedDb = db(channels[0].subarray(end - 8820, end))
  const originalDb = db(channels[0].subarray(end - 8820 - 22_050, end - 22_050))
  expect(Math.abs(editedDb - originalDb)).toBeLessThan(2)
})

it('does not clip', async () => {
  const heard = open(noise(20 * SAMPLE_RATE, 1.5), { settings: { ...plain, bassDb: 6 } })
  await playRecorded(heard)
  await sleep(1200)
  const { channels } = await heard.recorded()
  expect(channels[0].reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0)).toBeLessThanOrEqual(1)
})
