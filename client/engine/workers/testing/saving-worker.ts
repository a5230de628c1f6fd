import { createProjectStore } from '../../projects/project-store.ts'

/** Saves one project after another until the worker is terminated. Posts the number of each saved project. */
const projectStore = createProjectStore()

self.addEventListener('message', async () => {
  for (let round = 1; ; round++) {
    const blob = new Blob([new Uint8Array(30_000 + round).fill(round)])
    await projectStore.save({ name: `${round}.mp3`, blob }, { speed: 1, pitch: 0, reverbSize: 0, reverbAmount: 0, bassDb: round })
    self.postMessage(round)
  }
})
