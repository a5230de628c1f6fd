import { expect, it } from 'vitest'
import { createProjectStore } from './projects/project-store.ts'
import { createSampleEngine } from './sample-engine.ts'

it('sample engine: the sample plays in a loop, and the saved project stays unchanged', async () => {
  const ownProjectStore = createProjectStore()
  const ownSettings = { speed: 0.7, pitch: 0, reverbSize: 50, reverbAmount: 0, bassDb: 0 }
  expect(await ownProjectStore.save({ name: 'mine.wav', blob: new Blob(['mine']) }, ownSettings)).toBe(true)
  const engine = await createSampleEngine()
  try {
    engine.changeSettings({ speed: 1.25 })
    expect(engine.getSnapshot()).toMatchObject({
      phase: 'loaded',
      rate: 1.25,
      isDetectingTempo: false,
      sound: { bpm: 100 },
      loop: { on: true },
    })
    const sourcePositionsS = new Set<number>()
    engine.onPosition(({ sourceS }) => sourcePositionsS.add(sourceS))
    await engine.play()
    expect(engine.getSnapshot().isPlaying).toBe(true)
    await expect.poll(() => sourcePositionsS.size, { timeout: 20_000 }).toBeGreaterThan(3)
  } finally {
    engine.dispose()
  }
  await ownProjectStore.flush()
  expect(await ownProjectStore.readLast()).toMatchObject({ file: { name: 'mine.wav' }, settings: ownSettings })
  await ownProjectStore.clear()
  await ownProjectStore.dispose()
})
