import type { EngineState, LoadedSound } from '../use-maker.ts'

/** A sound of 10 s with `peakValues` as its waveform. */
export const createTestSound = (peakValues: Float32Array): LoadedSound => ({
  name: 'song.wav',
  fileBytes: 1000,
  sampleRate: 44_100,
  sourceChannels: 2,
  channels: 2,
  frames: 441_000,
  durationS: 10,
  title: undefined,
  artist: undefined,
  bpm: undefined,
  streamed: false,
  truncated: false,
  damaged: false,
  peaks: { framesPerPeak: 256, values: peakValues },
})

/** The state of an engine that has loaded `sound` and plays it at its own speed. */
export const createLoadedState = (sound: LoadedSound, stateChanges: Partial<EngineState> = {}): EngineState => ({
  phase: 'loaded',
  sound,
  settings: { speed: 1, pitch: 0, reverbSize: 50, reverbAmount: 0, bassDb: 0 },
  edits: { range: undefined, fadeIn: { seconds: 0, shape: 'linear' }, fadeOut: { seconds: 0, shape: 'linear' } },
  history: { steps: [], index: 0 },
  rate: 1,
  lengthS: sound.durationS,
  isPlaying: false,
  monitor: 'edited',
  loop: { on: true, startS: 0, endS: sound.durationS },
  volume: 1,
  isDetectingTempo: false,
  runningExport: undefined,
  waitingExports: [],
  output: { tags: {}, namePattern: '', targetLufs: undefined },
  projectId: undefined,
  saveProblem: undefined,
  ...stateChanges,
})
