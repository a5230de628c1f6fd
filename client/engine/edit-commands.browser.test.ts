import { afterEach, expect, it } from 'vitest'
import { readWav } from '../../dsp/read-wav.ts'
import { encodeWavHeader } from '../../dsp/wav.ts'
import { createEngine } from './create-engine.ts'
import type { Engine, EngineState } from './engine.ts'
import { createProjectStore } from './projects/project-store.ts'
import { removeExportsAfterEach } from './testing/exported-files.ts'

const SAMPLE_RATE = 44_100

/** Returns a WAV file of one second of silence, two of a tone, and one of silence. */
function createTestSoundFile() {
  const frameCount = 4 * SAMPLE_RATE
  const samples = Int16Array.from({ length: frameCount }, (_, frame) =>
    frame >= SAMPLE_RATE && frame < 3 * SAMPLE_RATE ? 12_000 * Math.cos(frame / 10) : 0,
  )
  return {
    name: 'song.wav',
    blob: new Blob([encodeWavHeader({ format: 'int16', channels: 1, sampleRate: SAMPLE_RATE, frames: frameCount }), samples]),
  }
}

let engine: Engine | undefined
afterEach(() => engine?.dispose())
removeExportsAfterEach()

function openEngine(store = createProjectStore()): Engine {
  engine = createEngine({ workerCount: 2, store })
  return engine
}

async function openLoadedEngine(store = createProjectStore()): Promise<Engine> {
  const loadedEngine = openEngine(store)
  expect((await loadedEngine.load(createTestSoundFile())).kind).toBe('loaded')
  return loadedEngine
}

async function exportSamples(loadedEngine: Engine): Promise<Float32Array> {
  const exportOutcome = await loadedEngine.export('wav-float32').result
  if (exportOutcome.kind !== 'exported' || exportOutcome.file === undefined) throw new Error(`export: ${exportOutcome.kind}`)
  const { channels } = await readWav(new Uint8Array(await exportOutcome.file.arrayBuffer()))
  return channels[0] ?? new Float32Array()
}

const undoStep = (loadedEngine: Engine) => loadedEngine.goToStep(loadedEngine.getSnapshot().history.index - 1)

it('edits: the kept range is exported exactly to the sample, without a click, and undo brings the rest back', async () => {
  const loadedEngine = await openLoadedEngine()
  const allSamples = await exportSamples(loadedEngine)
  expect(allSamples).toHaveLength(4 * SAMPLE_RATE)
  loadedEngine.setLoop({ on: true, startS: 1.5, endS: 2.25 })
  loadedEngine.seek(2)
  loadedEngine.keepRange(1.5, 2.25)
  expect(loadedEngine.getSnapshot()).toMatchObject({ lengthS: 0.75, sound: { frames: 33_075 }, loop: { startS: 0, endS: 0.75 } })
  const keptSamples = await exportSamples(loadedEngine)
  expect(keptSamples).toHaveLength(33_075)
  expect(Math.abs(keptSamples[0] ?? 1)).toBeLessThan(0.001)
  // The resampler's blocks begin at other frames, so that the samples differ by rounding.
  const largestDifference = keptSamples
    .subarray(1000, 30_000)
    .reduce((largest, sample, index) => Math.max(largest, Math.abs(sample - (allSamples[66_150 + 1000 + index] ?? 0))), 0)
  expect(largestDifference).toBeLessThan(1e-6)
  undoStep(loadedEngine)
  expect(loadedEngine.getSnapshot()).toMatchObject({ lengthS: 4, loop: { on: true, startS: 1.5, endS: 2.25 } })
  expect(await exportSamples(loadedEngine)).toEqual(allSamples)
})

it('edits: silence at both ends is cut once, and a range of the remaining sound is converted to its frames in the file', async () => {
  const loadedEngine = await openLoadedEngine()
  expect(await loadedEngine.cutSilence()).toBe(true)
  expect(loadedEngine.getSnapshot().sound?.durationS).toBeCloseTo(2.01, 2)
  expect(await loadedEngine.cutSilence()).toBe(false)
  loadedEngine.keepRange(0.5, 1)
  const { range } = loadedEngine.getSnapshot().edits
  expect(range).toEqual({ startFrame: SAMPLE_RATE * 1.5 - 221, endFrame: 2 * SAMPLE_RATE - 221 })
})

it('edits: after any sequence of edits, undos and redos, the state and the export match the current step', async () => {
  const loadedEngine = await openLoadedEngine()
  /** The properties of a step that a person sees and hears. */
  const pickComparedState = ({ settings, edits, sound, lengthS }: EngineState) => ({
    settings,
    edits,
    lengthS,
    frames: sound?.frames,
    peaks: sound?.peaks,
  })
  const comparedStates = [pickComparedState(loadedEngine.getSnapshot())]
  // A generator with a fixed seed.
  let randomSeed = 7
  const drawRandom = () => {
    randomSeed = (randomSeed * 48_271) % 2_147_483_647
    return randomSeed / 2_147_483_647
  }
  for (let round = 0; round < 40; round++) {
    const { history, sound } = loadedEngine.getSnapshot()
    const editKind = Math.floor(6 * drawRandom())
    if (editKind === 0) loadedEngine.keepRange(0.1 * drawRandom(), (sound?.durationS ?? 0) * (0.7 + 0.3 * drawRandom()))
    else if (editKind === 1)
      loadedEngine.changeEdits({ fadeIn: { seconds: drawRandom(), shape: 's-curve' }, fadeOut: { seconds: drawRandom(), shape: 'linear' } })
    else if (editKind === 2) loadedEngine.changeSettings({ speed: 0.5 + drawRandom(), bassDb: Math.round(6 * drawRandom()) })
    else loadedEngine.goToStep(Math.floor(history.steps.length * drawRandom()))
    const { index, steps } = loadedEngine.getSnapshot().history
    if (editKind < 3) comparedStates.splice(index, comparedStates.length, pickComparedState(loadedEngine.getSnapshot()))
    expect(steps).toHaveLength(comparedStates.length)
    expect(pickComparedState(loadedEngine.getSnapshot())).toEqual(comparedStates[index])
  }
  const { index } = loadedEngine.getSnapshot().history
  const samples = await exportSamples(loadedEngine)
  expect(samples).toHaveLength(Math.round((comparedStates[index]?.lengthS ?? 0) * SAMPLE_RATE))
  loadedEngine.goToStep(0)
  loadedEngine.goToStep(index)
  expect(await exportSamples(loadedEngine)).toEqual(samples)
})

it('edits: edits are saved with the project, and can be undone after a reload', async () => {
  const store = createProjectStore()
  const firstEngine = await openLoadedEngine(store)
  firstEngine.keepRange(1, 2)
  firstEngine.changeEdits({ fadeOut: { seconds: 0.5, shape: 'linear' } })
  const { history } = firstEngine.getSnapshot()
  expect(history).toMatchObject({ index: 2 })
  firstEngine.dispose()
  const restoredEngine = openEngine(store)
  await restoredEngine.restore()
  expect(restoredEngine.getSnapshot()).toMatchObject({ history, sound: { durationS: 1 }, edits: { fadeOut: { seconds: 0.5 } } })
  restoredEngine.goToStep(0)
  expect(restoredEngine.getSnapshot()).toMatchObject({ sound: { durationS: 4 } })
  await restoredEngine.clear()
})

it('output: tags, names and level are saved with the project, and a newly opened song takes over the name pattern and the level', async () => {
  const store = createProjectStore()
  const firstEngine = await openLoadedEngine(store)
  const chosenOutput = { tags: { title: '夜', artist: '' }, namePattern: '{title}', targetLufs: -14 }
  firstEngine.changeOutput(chosenOutput)
  const readId = () => firstEngine.getSnapshot().projectId ?? ''
  await expect.poll(readId).not.toBe('')
  const projectId = readId()
  await firstEngine.load(createTestSoundFile())
  const inheritedOutput = { ...chosenOutput, tags: {} }
  expect(firstEngine.getSnapshot().output).toEqual(inheritedOutput)
  await firstEngine.dispose()
  const nextEngine = openEngine(store)
  await nextEngine.restore()
  expect(nextEngine.getSnapshot().output).toEqual(inheritedOutput)
  await nextEngine.openProject(projectId)
  expect(nextEngine.getSnapshot().output).toEqual(chosenOutput)
  await nextEngine.clear()
})

it('edits: a project without saved steps opens with its settings as the first step', async () => {
  const store = createProjectStore()
  await store.save(createTestSoundFile(), { speed: 1.5, pitch: 0, reverbSize: 50, reverbAmount: 0, bassDb: 0 })
  const restoredEngine = openEngine()
  await restoredEngine.restore()
  expect(restoredEngine.getSnapshot()).toMatchObject({ rate: 1.5, history: { index: 0, steps: [{ settings: { speed: 1.5 } }] } })
  await restoredEngine.clear()
})

it('edits: a change during playback is audible without interruption, and playback stays at the same place in the music', async () => {
  const loadedEngine = await openLoadedEngine()
  let positionS = 0
  loadedEngine.onPosition(({ sourceS }) => {
    positionS = sourceS
  })
  loadedEngine.seek(2)
  await loadedEngine.play()
  loadedEngine.keepRange(1, 3)
  expect(loadedEngine.getSnapshot().isPlaying).toBe(true)
  await expect.poll(() => positionS).toBeGreaterThan(1)
  expect(positionS).toBeLessThan(2)
  loadedEngine.pause()
})
