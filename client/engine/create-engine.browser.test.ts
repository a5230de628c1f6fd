import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { wavHeader } from '../../dsp/wav.ts'
import { createEngine } from './create-engine.ts'
import type { Engine, SoundFile } from './engine.ts'
import { createProjectStore } from './project-store.ts'

const SAMPLE_RATE = 44_100

/** A WAV file of noise. */
function wavFile(name: string, seconds: number): SoundFile {
  const frames = Math.round(seconds * SAMPLE_RATE)
  const samples = Int16Array.from({ length: 2 * frames }, (_, index) => ((index * 7919) % 20_000) - 10_000)
  return { name, blob: new Blob([wavHeader({ format: 'int16', channels: 2, sampleRate: SAMPLE_RATE, frames }), samples]) }
}

/** All of a kind that were made and not ended. */
const live = { workers: 0, contexts: 0, urls: 0 }
const real = { Worker: globalThis.Worker, AudioContext: globalThis.AudioContext, create: URL.createObjectURL, revoke: URL.revokeObjectURL }

beforeEach(() => {
  Object.assign(live, { workers: 0, contexts: 0, urls: 0 })
  globalThis.Worker = class extends real.Worker {
    ended = false
    constructor(url: string | URL, options?: WorkerOptions) {
      super(url, options)
      live.workers++
    }
    override terminate() {
      if (!this.ended) live.workers--
      this.ended = true
      super.terminate()
    }
  }
  globalThis.AudioContext = class extends real.AudioContext {
    constructor(options?: AudioContextOptions) {
      super(options)
      live.contexts++
    }
    override close() {
      live.contexts--
      return super.close()
    }
  }
  URL.createObjectURL = (object) => {
    live.urls++
    return real.create(object)
  }
  URL.revokeObjectURL = (url) => {
    live.urls--
    real.revoke(url)
  }
})

let engine: Engine | undefined
afterEach(() => {
  engine?.dispose()
  expect(live).toEqual({ workers: 0, contexts: 0, urls: 0 })
  Object.assign(globalThis, { Worker: real.Worker, AudioContext: real.AudioContext })
  Object.assign(URL, { createObjectURL: real.create, revokeObjectURL: real.revoke })
})

function open(deps: Parameters<typeof createEngine>[0] = {}): Engine {
  engine = createEngine({ workers: 2, ...deps })
  return engine
}

async function loaded(seconds = 2, deps?: Parameters<typeof createEngine>[0]): Promise<Engine> {
  const own = open(deps)
  expect((await own.load(wavFile('city lights.wav', seconds))).kind).toBe('loaded')
  return own
}

describe('its state', () => {
  it('is the same object until something changes', async () => {
    const own = open({ settings: { speed: 1.25 } })
    const before = own.getSnapshot()
    expect(before).toMatchObject({ phase: 'empty', lengthS: 0, rate: 1.25, sound: undefined })
    expect(own.getSnapshot()).toBe(before)
    let told = 0
    own.subscribe(() => told++)
    own.change({ pitch: 12 })
    expect(told).toBe(1)
    expect(own.getSnapshot()).not.toBe(before)
    expect(own.getSnapshot().rate).toBe(2.5)
  })

  it('has settings in their range only', () => {
    const own = open()
    own.change({ speed: 9, pitch: -40, reverbSize: 101, reverbAmount: -1, bassDb: Number.NaN })
    expect(own.getSnapshot().settings).toEqual({ speed: 2, pitch: -12, reverbSize: 100, reverbAmount: 0, bassDb: 0 })
  })

  it('knows the length that comes out, with what rings on', async () => {
    const own = await loaded(2, { settings: { speed: 0.5 } })
    expect(own.getSnapshot()).toMatchObject({ phase: 'loaded', lengthS: 4, loop: { on: true, startS: 0, endS: 2 } })
    own.change({ reverbAmount: 50, reverbSize: 0 })
    expect(own.getSnapshot().lengthS).toBeCloseTo(4.212, 3)
    own.setLoop({ on: true, startS: 5, endS: -1 })
    expect(own.getSnapshot().loop).toEqual({ on: true, startS: 0, endS: 2 })
  })
})

describe('loading', () => {
  it('a newer file takes the place of an older one', async () => {
    const own = open()
    const [older, newer] = await Promise.all([own.load(wavFile('older.wav', 1)), own.load(wavFile('newer.wav', 2))])
    expect(older.kind).toBe('cancelled')
    expect(newer.kind).toBe('loaded')
    expect(own.getSnapshot().sound?.name).toBe('newer.wav')
  })

  it('what cannot be decoded leaves what was there', async () => {
    const own = await loaded()
    expect(await own.load({ name: 'x.wav', blob: new Blob(['not a sound at all']) })).toEqual({ kind: 'undecodable' })
    expect(own.getSnapshot()).toMatchObject({ phase: 'loaded', sound: { name: 'city lights.wav' } })
    const cancelled = own.load(wavFile('other.wav', 1))
    own.cancelLoad()
    expect(await cancelled).toEqual({ kind: 'cancelled' })
    expect(own.getSnapshot()).toMatchObject({ phase: 'loaded', sound: { name: 'city lights.wav' } })
  })

  it('what was kept comes back with its settings, until it is cleared', async () => {
    const store = createProjectStore()
    const first = await loaded(2, { store })
    first.change({ speed: 0.8 })
    first.setLoop({ on: true, startS: 0.5, endS: 1 })
    first.dispose()
    const second = open({ store })
    expect((await second.restore())?.kind).toBe('loaded')
    expect(second.getSnapshot()).toMatchObject({
      settings: { speed: 0.8 },
      loop: { startS: 0.5, endS: 1 },
      sound: { name: 'city lights.wav' },
    })
    await second.clear()
    expect(second.getSnapshot()).toMatchObject({ phase: 'empty', sound: undefined, lengthS: 0 })
    expect(await second.restore()).toBeUndefined()
    expect(second.getSnapshot().phase).toBe('empty')
  })
})

describe('export', () => {
  it('needs a sound', async () => {
    const own = open()
    expect(own.estimate('mp3')).toBeUndefined()
    expect(await own.export('wav-int16').result).toEqual({ kind: 'no-sound' })
  })

  it.each(['wav-int16', 'wav-float32'] as const)('%s is as large as it was said to be', async (format) => {
    const own = await loaded()
    const estimate = own.estimate(format)
    const result = await own.export(format).result
    expect(result).toMatchObject({ kind: 'exported', bytes: estimate?.bytes, loweredDb: 0 })
    expect(estimate?.problem).toBeUndefined()
    expect(own.getSnapshot().exporting).toBeUndefined()
  })

  it('one whose sink still closes when it is cancelled leaves the next alone', async () => {
    const own = await loaded(20)
    let closing = false
    const sink = new WritableStream<Uint8Array<ArrayBuffer>>({
      async close() {
        closing = true
        await new Promise((resolve) => setTimeout(resolve, 150))
      },
    })
    const first = own.export('wav-float32', { sink })
    await expect.poll(() => closing).toBe(true)
    first.cancel()
    own.change({ speed: 0.2, reverbAmount: 100 })
    expect((await own.export('wav-int16').result).kind).toBe('exported')
    expect((await first.result).kind).toBe('cancelled')
  })

  it('to cancel one that is done does not end the next', async () => {
    const own = await loaded(5)
    const first = own.export('wav-int16')
    expect((await first.result).kind).toBe('exported')
    const second = own.export('wav-int16')
    first.cancel()
    expect((await second.result).kind).toBe('exported')
  })

  it('a second one ends the first', async () => {
    const own = await loaded(20)
    const first = own.export('wav-int16')
    const second = own.export('wav-float32')
    expect((await first.result).kind).toBe('cancelled')
    expect((await second.result).kind).toBe('exported')
  })

  it('tells its progress, which never goes back', async () => {
    const own = await loaded(20)
    const seen: number[] = []
    own.subscribe(() => {
      const { exporting } = own.getSnapshot()
      if (exporting !== undefined) seen.push(exporting.progress)
    })
    await own.export('wav-int16').result
    expect(seen.length).toBeGreaterThan(4)
    expect(seen.at(-1)).toBe(1)
    expect(seen).toEqual(seen.toSorted((a, b) => a - b))
  })

  it('a hundred in a row leave nothing behind', async () => {
    const own = await loaded(1)
    for (let count = 0; count < 100; count++) {
      const task = own.export('wav-int16')
      if (count % 10 === 9) task.cancel()
      expect((await task.result).kind).toBe(count % 10 === 9 ? 'cancelled' : 'exported')
      expect(live.workers).toBeLessThanOrEqual(2)
    }
    expect(live).toEqual({ workers: 2, contexts: 0, urls: 0 })
  })
})

it('tells where it stands to who asks later, and begins anew with another sound', async () => {
  const own = await loaded(5)
  own.seek(3)
  const positions: number[] = []
  own.onPosition(({ sourceS }) => positions.push(sourceS))
  expect(positions).toEqual([3])
  await own.load(wavFile('city lights.wav', 5))
  expect(positions).toEqual([3, 0])
  await own.clear()
  expect(positions.at(-1)).toBe(0)
})

it('where the device has no sound it does not play', async () => {
  const own = await loaded()
  const { AudioContext: opens } = globalThis
  Object.assign(globalThis, {
    AudioContext: class {
      constructor() {
        throw new DOMException('too many', 'NotSupportedError')
      }
    },
  })
  await expect(own.play()).rejects.toThrow('too many')
  expect(own.getSnapshot().playing).toBe(false)
  Object.assign(globalThis, { AudioContext: opens })
})

it('loads nothing once it is disposed of', async () => {
  const own = await loaded()
  own.dispose()
  expect(await own.load(wavFile('late.wav', 1))).toEqual({ kind: 'cancelled' })
})

it('plays, and frees all at the end', async () => {
  const own = await loaded(5)
  const positions: number[] = []
  own.onPosition(({ sourceS }) => positions.push(sourceS))
  own.setVolume(7)
  expect(own.getSnapshot().volume).toBe(1)
  await own.play()
  expect(own.getSnapshot().playing).toBe(true)
  await expect.poll(() => positions.at(-1)).toBeGreaterThan(0.1)
  own.seek(3)
  await expect.poll(() => positions.at(-1)).toBeGreaterThan(3)
  own.pause()
  expect(own.getSnapshot().playing).toBe(false)
  expect(live.contexts).toBe(1)
})
