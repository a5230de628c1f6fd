import { createEngine } from './create-engine.ts'
import type { Engine } from './engine.ts'
import type { ProjectStore } from './projects/project-store.ts'
import { createSampleSong, SAMPLE_BPM } from './sample-song.ts'

/** A project store whose only project is the sample. It saves nothing, so that the saved project of the account stays. */
const sampleStore: ProjectStore = {
  openId: undefined,
  isOpenDeleted: false,
  read: async () => undefined,
  readLast: async () => ({ id: '', source: '', file: await createSampleSong(), settings: {}, bpm: SAMPLE_BPM, loop: undefined }),
  async open() {},
  save: async () => false,
  saveSettings() {},
  saveBpm() {},
  saveLoop() {},
  saveHistory() {},
  saveOutput() {},
  saveLength() {},
  async saveCover() {},
  replaceCover() {},
  async flush() {},
  deleteOpen: async () => false,
  clear: async () => false,
  async close() {},
  async dispose() {},
  onState: () => () => {},
  library: {
    list: async () => [],
    subscribe: () => () => {},
    rename: async () => false,
    duplicate: async () => undefined,
    remove: async () => false,
    restore: async () => false,
    exportFile: async () => undefined,
    importFile: async () => ({ kind: 'no-storage' }),
  },
}

/** Creates an engine in which the sample is loaded, and which saves nothing. Rejects if the sample cannot be decoded. */
export async function createSampleEngine(): Promise<Engine> {
  const engine = createEngine({ store: sampleStore })
  const restoreOutcome = await engine.restore()
  if (restoreOutcome?.kind === 'loaded') return engine
  engine.dispose()
  throw new Error(`The sample could not be loaded: ${restoreOutcome?.kind ?? 'no file'}`)
}
