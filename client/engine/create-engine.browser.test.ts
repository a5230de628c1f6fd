import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { encodeWavHeader } from '../../dsp/wav.ts'
import { createUniqueId } from '../primitives/unique-id.ts'
import { createEngine } from './create-engine.ts'
import type { Engine, SoundFile } from './engine.ts'
import { browserProjectLocks } from './projects/project-locks.ts'
import { createProjectStore } from './projects/project-store.ts'
import { synthesizeDrumLoop } from './testing/drum-loop.ts'
import { removeExportsAfterEach } from './testing/exported-files.ts'
// Tone.js stores the class `AudioContext` when it is loaded. It is therefore loaded before a test replaces the class.
import './preview-graph.ts'

const SAMPLE_RATE = 44_100

/** Returns a WAV file of noise. */
function createWavSound(fileName: string, durationS: number): SoundFile {
  const frames = Math.round(durationS * SAMPLE_RATE)
  const samples = Int16Array.from({ length: 2 * frames }, (_, index) => ((index * 7919) % 20_000) - 10_000)
  return { name: fileName, blob: new Blob([encodeWavHeader({ format: 'int16', channels: 2, sampleRate: SAMPLE_RATE, frames }), samples]) }
}

/** The numbers of resources that the engine has created and not yet released. */
const liveCounts = { workers: 0, contexts: 0, urls: 0 }
const originalApis = {
  Worker: globalThis.Worker,
  AudioContext: globalThis.AudioContext,
  create: URL.createObjectURL,
  revoke: URL.revokeObjectURL,
}

beforeEach(() => {
  Object.assign(liveCounts, { workers: 0, contexts: 0, urls: 0 })
  globalThis.Worker = class extends originalApis.Worker {
    isWorkerTerminated = false
    constructor(url: string | URL, options?: WorkerOptions) {
      super(url, options)
      liveCounts.workers++
    }
    override terminate() {
      if (!this.isWorkerTerminated) liveCounts.workers--
      this.isWorkerTerminated = true
      super.terminate()
    }
  }
  globalThis.AudioContext = class extends originalApis.AudioContext {
    constructor(options?: AudioContextOptions) {
      super(options)
      liveCounts.contexts++
    }
    override close() {
      liveCounts.contexts--
      return super.close()
    }
  }
  URL.createObjectURL = (urlObject) => {
    liveCounts.urls++
    return originalApis.create(urlObject)
  }
  URL.revokeObjectURL = (url) => {
    liveCounts.urls--
    originalApis.revoke(url)
  }
})

let engine: Engine | undefined
afterEach(() => {
  engine?.dispose()
  expect(liveCounts).toEqual({ workers: 0, contexts: 0, urls: 0 })
  Object.assign(globalThis, { Worker: originalApis.Worker, AudioContext: originalApis.AudioContext })
  Object.assign(URL, { createObjectURL: originalApis.create, revokeObjectURL: originalApis.revoke })
})

removeExportsAfterEach()

function openEngine(deps: Parameters<typeof createEngine>[0] = {}): Engine {
  engine = createEngine({ workerCount: 2, ...deps })
  return engine
}

async function openLoadedEngine(durationS = 2, deps?: Parameters<typeof createEngine>[0]): Promise<Engine> {
  const ownEngine = openEngine(deps)
  expect((await ownEngine.load(createWavSound('city lights.wav', durationS))).kind).toBe('loaded')
  return ownEngine
}

describe('engine state', () => {
  it('the snapshot of the state is the same object until the state changes', async () => {
    const ownEngine = openEngine({ settings: { speed: 1.25 } })
    const stateBefore = ownEngine.getSnapshot()
    expect(stateBefore).toMatchObject({ phase: 'empty', lengthS: 0, rate: 1.25, sound: undefined })
    expect(ownEngine.getSnapshot()).toBe(stateBefore)
    let changeCount = 0
    ownEngine.subscribe(() => changeCount++)
    ownEngine.changeSettings({ pitch: 12 })
    expect(changeCount).toBe(1)
    expect(ownEngine.getSnapshot()).not.toBe(stateBefore)
    expect(ownEngine.getSnapshot().rate).toBe(2.5)
  })

  it('settings out of their ranges are set to the nearest allowed value', () => {
    const ownEngine = openEngine()
    ownEngine.changeSettings({ speed: 9, pitch: -40, reverbSize: 101, reverbAmount: -1, bassDb: Number.NaN })
    expect(ownEngine.getSnapshot().settings).toEqual({ speed: 2, pitch: -12, reverbSize: 100, reverbAmount: 0, bassDb: 0 })
  })

  it("the length in the engine's state is the length of the output, including the reverb tail", async () => {
    const ownEngine = await openLoadedEngine(2, { settings: { speed: 0.5 } })
    expect(ownEngine.getSnapshot()).toMatchObject({ phase: 'loaded', lengthS: 4, loop: { on: true, startS: 0, endS: 2 } })
    ownEngine.changeSettings({ reverbAmount: 50, reverbSize: 0 })
    expect(ownEngine.getSnapshot().lengthS).toBeCloseTo(4.212, 3)
    ownEngine.setLoop({ on: true, startS: 5, endS: -1 })
    expect(ownEngine.getSnapshot().loop).toEqual({ on: true, startS: 0, endS: 2 })
  })
})

describe('engine: tempo', () => {
  /** Returns a WAV file of a drum loop. */
  function createDrumSound(bpm: number): SoundFile {
    const samples = Int16Array.from(synthesizeDrumLoop(bpm, { sampleRate: 22_050, seconds: 12 }), (sample) => 20_000 * sample)
    const header = encodeWavHeader({ format: 'int16', channels: 1, sampleRate: 22_050, frames: samples.length })
    return { name: 'loop.wav', blob: new Blob([header, samples]) }
  }

  it('the tempo is detected after loading, and is saved with the project', async () => {
    const store = createProjectStore()
    const ownEngine = openEngine({ store })
    await ownEngine.load(createDrumSound(117))
    expect(ownEngine.getSnapshot()).toMatchObject({ isDetectingTempo: true, sound: { bpm: undefined } })
    await expect.poll(() => ownEngine.getSnapshot()).toMatchObject({ isDetectingTempo: false, sound: { bpm: 117 } })
    ownEngine.dispose()
    const restoredEngine = openEngine({ store })
    await restoredEngine.restore()
    expect(restoredEngine.getSnapshot()).toMatchObject({ isDetectingTempo: false, sound: { bpm: 117 } })
    await restoredEngine.clear()
  })

  it('if a sound has no beat, the tempo detection ends without a tempo', async () => {
    const ownEngine = await openLoadedEngine()
    await expect.poll(() => ownEngine.getSnapshot().isDetectingTempo).toBe(false)
    expect(ownEngine.getSnapshot().sound?.bpm).toBeUndefined()
  })

  it('if a person sets the tempo, the running tempo detection ends and does not replace that tempo', async () => {
    const ownEngine = openEngine()
    await ownEngine.load(createDrumSound(117))
    ownEngine.setBpm(93.25)
    expect(ownEngine.getSnapshot()).toMatchObject({ isDetectingTempo: false, sound: { bpm: 93.25 } })
    await expect.poll(() => liveCounts.workers).toBe(0)
    expect(ownEngine.getSnapshot().sound?.bpm).toBe(93.25)
  })
})

describe('engine: loading', () => {
  it('loading another file cancels the earlier load', async () => {
    const ownEngine = openEngine()
    const [olderResult, newerResult] = await Promise.all([
      ownEngine.load(createWavSound('older.wav', 1)),
      ownEngine.load(createWavSound('newer.wav', 2)),
    ])
    expect(olderResult.kind).toBe('cancelled')
    expect(newerResult.kind).toBe('loaded')
    expect(ownEngine.getSnapshot().sound?.name).toBe('newer.wav')
  })

  it('the loaded sound stays when another file cannot be decoded or its load is cancelled', async () => {
    const ownEngine = await openLoadedEngine()
    expect(await ownEngine.load({ name: 'x.wav', blob: new Blob(['not a sound at all']) })).toEqual({ kind: 'undecodable' })
    expect(ownEngine.getSnapshot()).toMatchObject({ phase: 'loaded', sound: { name: 'city lights.wav' } })
    const cancelledLoad = ownEngine.load(createWavSound('other.wav', 1))
    ownEngine.cancelLoad()
    expect(await cancelledLoad).toEqual({ kind: 'cancelled' })
    expect(ownEngine.getSnapshot()).toMatchObject({ phase: 'loaded', sound: { name: 'city lights.wav' } })
  })

  it('the saved project is restored with its settings until it is cleared', async () => {
    const store = createProjectStore()
    const firstEngine = await openLoadedEngine(2, { store })
    firstEngine.changeSettings({ speed: 0.8 })
    firstEngine.setLoop({ on: true, startS: 0.5, endS: 1 })
    firstEngine.dispose()
    const secondEngine = openEngine({ store })
    expect((await secondEngine.restore())?.kind).toBe('loaded')
    expect(secondEngine.getSnapshot()).toMatchObject({
      settings: { speed: 0.8 },
      loop: { startS: 0.5, endS: 1 },
      sound: { name: 'city lights.wav' },
    })
    await secondEngine.clear()
    expect(secondEngine.getSnapshot()).toMatchObject({ phase: 'empty', sound: undefined, lengthS: 0 })
    expect(await secondEngine.restore()).toBeUndefined()
    expect(secondEngine.getSnapshot().phase).toBe('empty')
  })
})

describe('engine: opening edits', () => {
  const listRates = async ({ projects }: Engine) =>
    Object.fromEntries((await projects.list()).map(({ title, rate }) => [title, Math.round(100 * rate) / 100]))

  const storedSettings = { speed: 0.8, pitch: 0, reverbSize: 50, reverbAmount: 0, bassDb: 0 }

  /** Saves an edit whose song is `sound` as another tab does. Returns its id. */
  async function saveOtherEdit(sound: SoundFile, ownerId: string): Promise<string> {
    const otherStore = createProjectStore({ ownerId })
    expect(await otherStore.save(sound, storedSettings)).toBe(true)
    const id = otherStore.openId ?? ''
    await otherStore.dispose()
    return id
  }

  it('after another edit was cancelled or could not be opened, changes are saved in the edit on the screen', async () => {
    const ownerId = createUniqueId()
    const store = createProjectStore({ ownerId })
    const otherId = await saveOtherEdit(createWavSound('other.wav', 1), ownerId)
    const brokenId = await saveOtherEdit({ name: 'broken.wav', blob: new Blob(['not a sound at all']) }, ownerId)
    const ownEngine = await openLoadedEngine(2, { store, settings: { speed: 1.1 } })
    await store.flush()
    const openId = ownEngine.getSnapshot().projectId

    const isDecoding = new Promise<void>((resolve) =>
      ownEngine.subscribe(() => {
        if (ownEngine.getSnapshot().phase === 'loading') resolve()
      }),
    )
    const cancelledLoad = ownEngine.openProject(otherId)
    await isDecoding
    ownEngine.changeSettings({ speed: 1.15 })
    ownEngine.cancelLoad()
    expect(await cancelledLoad).toEqual({ kind: 'cancelled' })
    ownEngine.setLoop({ on: true, startS: 0.5, endS: 1 })
    await store.flush()
    expect(await listRates(ownEngine)).toEqual({ 'city lights': 1.15, other: 0.8, broken: 0.8 })
    expect(await store.read(otherId)).toMatchObject({ loop: undefined })

    expect(await ownEngine.openProject(brokenId)).toEqual({ kind: 'undecodable' })
    ownEngine.changeSettings({ speed: 1.2 })
    await store.flush()
    expect(await listRates(ownEngine)).toEqual({ 'city lights': 1.2, other: 0.8, broken: 0.8 })
    expect(ownEngine.getSnapshot().projectId).toBe(openId)

    expect(await ownEngine.projects.remove(brokenId)).toBe(true)
    expect(ownEngine.getSnapshot()).toMatchObject({ phase: 'loaded', projectId: openId, sound: { name: 'city lights.wav' } })

    expect((await ownEngine.openProject(otherId))?.kind).toBe('loaded')
    ownEngine.changeSettings({ speed: 0.9 })
    await store.flush()
    expect(await listRates(ownEngine)).toEqual({ 'city lights': 1.2, other: 0.9 })
    expect(ownEngine.getSnapshot().projectId).toBe(otherId)
    await store.dispose()
  })

  it('a failed restore opens nothing', async () => {
    const ownerId = createUniqueId()
    const brokenId = await saveOtherEdit({ name: 'broken.wav', blob: new Blob(['not a sound at all']) }, ownerId)
    const store = createProjectStore({ ownerId })
    const ownEngine = openEngine({ store })
    expect(await ownEngine.restore()).toEqual({ kind: 'undecodable' })
    expect(store.openId).toBeUndefined()
    expect(await ownEngine.projects.remove(brokenId)).toBe(true)
    await store.dispose()
  })

  it('removing the open edit keeps its sound while another tab has the edit, and unloads it once it is deleted', async () => {
    const ownerId = createUniqueId()
    const [otherStore, store] = [createProjectStore({ ownerId }), createProjectStore({ ownerId })]
    await otherStore.save(createWavSound('shared.wav', 1), storedSettings)
    const projectId = otherStore.openId ?? ''
    const ownEngine = openEngine({ store })
    await ownEngine.restore()
    expect(await ownEngine.projects.remove(projectId)).toBe(false)
    expect(ownEngine.getSnapshot()).toMatchObject({ phase: 'loaded', projectId, sound: { name: 'shared.wav' } })
    await otherStore.dispose()
    expect(await ownEngine.projects.remove(projectId)).toBe(true)
    expect(ownEngine.getSnapshot()).toMatchObject({ phase: 'empty', projectId: undefined, sound: undefined })
    expect(await ownEngine.projects.list()).toEqual([])
    await store.dispose()
  })

  /** Creates a store whose writes wait from the call of `pauseWrites` until the call of `continueWrites`. */
  function createSlowStore(ownerId: string) {
    let writesAllowed = Promise.resolve()
    let continueWrites = () => {}
    const store = createProjectStore({
      ownerId,
      locks: {
        ...browserProjectLocks,
        async runExclusively(work) {
          await writesAllowed
          return browserProjectLocks.runExclusively(work)
        },
      },
    })
    const pauseWrites = () => {
      writesAllowed = new Promise((resolve) => {
        continueWrites = resolve
      })
    }
    return { store, pauseWrites, continueWrites: () => continueWrites() }
  }

  it('an edit that appears while the open one is being deleted stays open and in the list', async () => {
    const ownerId = createUniqueId()
    const otherId = await saveOtherEdit(createWavSound('other.wav', 1), ownerId)
    const { store, pauseWrites, continueWrites } = createSlowStore(ownerId)
    const ownEngine = await openLoadedEngine(1, { store })
    await store.flush()
    const removedId = store.openId ?? ''
    const isDecoding = new Promise<void>((resolve) =>
      ownEngine.subscribe(() => {
        if (ownEngine.getSnapshot().phase === 'loading') resolve()
      }),
    )
    const otherLoad = ownEngine.openProject(otherId)
    await isDecoding
    pauseWrites()
    const removal = ownEngine.projects.remove(removedId)
    expect((await otherLoad)?.kind).toBe('loaded')
    continueWrites()
    expect(await removal).toBe(true)
    await store.flush()
    expect(ownEngine.getSnapshot()).toMatchObject({ phase: 'loaded', projectId: otherId, sound: { name: 'other.wav' } })
    expect(Object.keys(await listRates(ownEngine))).toEqual(['other'])
    expect(await ownEngine.projects.restore(removedId)).toBe(true)
    expect(Object.keys(await listRates(ownEngine)).sort()).toEqual(['city lights', 'other'])
    await store.dispose()
  })

  it('deleting the open edit by a double press succeeds for both presses', async () => {
    const store = createProjectStore({ ownerId: createUniqueId() })
    const ownEngine = await openLoadedEngine(1, { store })
    await store.flush()
    const projectId = store.openId ?? ''
    expect(await Promise.all([ownEngine.projects.remove(projectId), ownEngine.projects.remove(projectId)])).toEqual([true, true])
    expect(ownEngine.getSnapshot()).toMatchObject({ phase: 'empty', projectId: undefined })
    await store.dispose()
  })
})

describe('engine: export', () => {
  it('an export fails if no sound is loaded', async () => {
    const ownEngine = openEngine()
    expect(ownEngine.estimate('mp3')).toBeUndefined()
    expect(await ownEngine.export('wav-int16').result).toEqual({ kind: 'no-sound' })
  })

  it.each(['wav-int16', 'wav-float32'] as const)('an exported file has the estimated size: %s', async (format) => {
    const ownEngine = await openLoadedEngine()
    const estimate = ownEngine.estimate(format)
    const exportResult = await ownEngine.export(format).result
    expect(exportResult).toMatchObject({ kind: 'exported', bytes: estimate?.bytes, loweredDb: 0 })
    expect(estimate?.exportProblem).toBeUndefined()
    expect(ownEngine.getSnapshot().runningExport).toBeUndefined()
  })

  it('cancelling an export while its sink closes does not affect the next export', async () => {
    const ownEngine = await openLoadedEngine(20)
    let isEngineClosing = false
    const fileSink = new WritableStream<Uint8Array<ArrayBuffer>>({
      async close() {
        isEngineClosing = true
        await new Promise((resolve) => setTimeout(resolve, 150))
      },
    })
    const firstExport = ownEngine.export('wav-float32', { sink: fileSink })
    await expect.poll(() => isEngineClosing).toBe(true)
    firstExport.cancel()
    ownEngine.changeSettings({ speed: 0.2, reverbAmount: 100 })
    expect((await ownEngine.export('wav-int16').result).kind).toBe('exported')
    expect((await firstExport.result).kind).toBe('cancelled')
  })

  describe.each(['wav-int16', 'mp3'] as const)('cancelling an export as %s', (format) => {
    it('a cancelled export terminates its workers at once, and the next export begins', {
      tags: format === 'mp3' ? ['long'] : [],
    }, async () => {
      const ownEngine = await openLoadedEngine(60)
      const idleWorkerCount = liveCounts.workers
      const cancelledExport = ownEngine.export(format)
      const nextExport = ownEngine.export('wav-int16')
      const waitingExport = ownEngine.getSnapshot().waitingExports[0]
      let progressShare = 0
      ownEngine.onProgress((values) => (progressShare = values.exportProgress ?? 0))
      await expect.poll(() => progressShare).toBeGreaterThan(0)
      expect(liveCounts.workers).toBeGreaterThan(idleWorkerCount)
      cancelledExport.cancel()
      expect(ownEngine.getSnapshot()).toMatchObject({ runningExport: waitingExport, waitingExports: [] })
      expect(liveCounts.workers, 'only the one that writes files').toBeLessThanOrEqual(idleWorkerCount + 1)
      expect(await cancelledExport.result).toEqual({ kind: 'cancelled' })
      expect((await nextExport.result).kind).toBe('exported')
    })
  })

  it('cancelling a finished export does not cancel the next one', async () => {
    const ownEngine = await openLoadedEngine(5)
    const firstExport = ownEngine.export('wav-int16')
    expect((await firstExport.result).kind).toBe('exported')
    const secondExport = ownEngine.export('wav-int16')
    firstExport.cancel()
    expect((await secondExport.result).kind).toBe('exported')
  })

  it('exports run one after the other, each with the settings of its call, even if its song was replaced; a waiting export is cancelled immediately', async () => {
    const ownEngine = await openLoadedEngine(20)
    const startedExports: string[] = []
    const recordOutcome = (name: string) => (outcome: { kind: string }) => startedExports.push(`${name} ${outcome.kind}`)
    const exportPromise = ownEngine.export('wav-int16').result.then(recordOutcome('first'))
    let isAborted = false
    const fileSink = new WritableStream<Uint8Array<ArrayBuffer>>({
      abort() {
        isAborted = true
      },
    })
    const cancelledExport = ownEngine.export('wav-float32', { sink: fileSink })
    ownEngine.changeSettings({ speed: 2 })
    const secondExport = ownEngine.export('wav-int16')
    ownEngine.changeSettings({ speed: 1 })
    const { runningExport, waitingExports } = ownEngine.getSnapshot()
    const fileNames = [runningExport, ...waitingExports].map((each) => each?.fileName)
    const floatFileName = 'city lights (speed 1, pitch 0, 32-bit float).wav'
    expect(fileNames).toEqual(['city lights (speed 1, pitch 0).wav', floatFileName, 'city lights (speed 2, pitch 0).wav'])
    cancelledExport.cancel()
    expect(await cancelledExport.result).toEqual({ kind: 'cancelled' })
    expect(isAborted).toBe(true)
    expect(startedExports).toEqual([])
    await ownEngine.load(createWavSound('other.wav', 1))
    const lastExport = ownEngine.export('wav-int16')
    const secondExportBytes = 44 + 4 * 10 * SAMPLE_RATE
    expect(await secondExport.result).toMatchObject({
      kind: 'exported',
      fileName: 'city lights (speed 2, pitch 0).wav',
      bytes: secondExportBytes,
    })
    expect(startedExports).toEqual(['first exported'])
    expect(await lastExport.result).toMatchObject({ fileName: 'other (speed 1, pitch 0).wav' })
    await exportPromise
    expect(ownEngine.getSnapshot()).toMatchObject({ runningExport: undefined, waitingExports: [] })
  })

  it('an export of the loop contains only the loop, and its file name contains the word "loop"', async () => {
    const ownEngine = await openLoadedEngine(2)
    ownEngine.setLoop({ on: true, startS: 0.5, endS: 1.25 })
    const estimate = ownEngine.estimate('wav-int24', { isLoop: true })
    expect(estimate).toMatchObject({ fileName: 'city lights (speed 1, pitch 0, 24-bit, loop).wav', lengthS: 0.75 })
    const { bytes, fileName } = estimate ?? {}
    expect(await ownEngine.export('wav-int24', { isLoop: true }).result).toMatchObject({ kind: 'exported', bytes, fileName })
    ownEngine.changeOutput({ namePattern: '{name} {rate}' })
    expect(ownEngine.estimate('mp3', { isLoop: true })?.fileName).toBe('city lights 1 (loop).mp3')
  })

  it('a running export continues when another file is loaded and when the song is removed', async () => {
    const ownEngine = await openLoadedEngine(20)
    const { bytes, fileName } = ownEngine.estimate('wav-int16') ?? {}
    const runningExport = ownEngine.export('wav-int16')
    expect((await ownEngine.load(createWavSound('other.wav', 1))).kind).toBe('loaded')
    expect(await runningExport.result).toMatchObject({ kind: 'exported', bytes, fileName })
    const lastExport = ownEngine.export('wav-int16')
    await ownEngine.clear()
    expect(await lastExport.result).toMatchObject({ kind: 'exported' })
    expect(ownEngine.getSnapshot()).toMatchObject({ phase: 'empty', runningExport: undefined })
  })

  it('if the engine is disposed during an export, the export ends with a result that states the disposal', async () => {
    const ownEngine = await openLoadedEngine(20)
    const { result } = ownEngine.export('wav-int16')
    ownEngine.dispose()
    expect(await result).toEqual({ kind: 'closed' })
  })

  it('the progress of an export never decreases', async () => {
    const ownEngine = await openLoadedEngine(20)
    const seenProgress: number[] = []
    ownEngine.onProgress(({ exportProgress: progress }) => progress !== undefined && seenProgress.push(progress))
    await ownEngine.export('wav-int16').result
    expect(seenProgress.length).toBeGreaterThan(4)
    expect(seenProgress.at(-1)).toBe(1)
    expect(seenProgress).toEqual(seenProgress.toSorted((a, b) => a - b))
  })

  it('a hundred exports reuse the same workers', { tags: ['long'] }, async () => {
    const ownEngine = await openLoadedEngine(1)
    for (let round = 0; round < 100; round++) {
      const exportTask = ownEngine.export('wav-int16')
      if (round % 10 === 9) exportTask.cancel()
      expect((await exportTask.result).kind).toBe(round % 10 === 9 ? 'cancelled' : 'exported')
      expect(liveCounts.workers, 'two render, one writes').toBeLessThanOrEqual(3)
    }
    expect(liveCounts).toEqual({ workers: 3, contexts: 0, urls: 0 })
  })
})

it('engine: new listeners receive the position, which is 0 after another sound is loaded', async () => {
  const ownEngine = await openLoadedEngine(5)
  ownEngine.seek(3)
  const reportedPositions: number[] = []
  ownEngine.onPosition(({ sourceS }) => reportedPositions.push(sourceS))
  expect(reportedPositions).toEqual([3])
  await ownEngine.load(createWavSound('city lights.wav', 5))
  expect(reportedPositions).toEqual([3, 0])
  await ownEngine.clear()
  expect(reportedPositions.at(-1)).toBe(0)
})

it('engine: play rejects without an audio device', async () => {
  const ownEngine = await openLoadedEngine()
  const { AudioContext: CountedAudioContext } = globalThis
  Object.assign(globalThis, {
    AudioContext: class {
      constructor() {
        throw new DOMException('too many', 'NotSupportedError')
      }
    },
  })
  await expect(ownEngine.play()).rejects.toThrow('too many')
  expect(ownEngine.getSnapshot().isPlaying).toBe(false)
  Object.assign(globalThis, { AudioContext: CountedAudioContext })
})

it('engine: after dispose nothing is loaded', async () => {
  const ownEngine = await openLoadedEngine()
  ownEngine.dispose()
  expect(await ownEngine.load(createWavSound('late.wav', 1))).toEqual({ kind: 'cancelled' })
})

it('engine: plays, seeks and pauses', async () => {
  const ownEngine = await openLoadedEngine(5)
  const sourcePositionsS: number[] = []
  ownEngine.onPosition(({ sourceS }) => sourcePositionsS.push(sourceS))
  ownEngine.setVolume(7)
  expect(ownEngine.getSnapshot().volume).toBe(1)
  await ownEngine.play()
  expect(ownEngine.getSnapshot().isPlaying).toBe(true)
  await expect.poll(() => sourcePositionsS.at(-1)).toBeGreaterThan(0.1)
  ownEngine.seek(3)
  await expect.poll(() => sourcePositionsS.at(-1)).toBeGreaterThan(3)
  ownEngine.pause()
  expect(ownEngine.getSnapshot().isPlaying).toBe(false)
  expect(liveCounts.contexts).toBe(1)
})
