/** The folder of the origin's private files in which the last song is kept. */
export const KEPT_SONG_FOLDER = 'maker'

/**
 * The maker's engine, as the page sees it: commands, slow state by `getSnapshot` and `subscribe`, and the position apart from that, for
 * animation. It knows no words: failures are kinds.
 */
export interface Engine {
  getSnapshot(): EngineState
  subscribe(listener: () => void): () => void

  /** Takes a file in place of the one that is loaded. Where it fails, what was loaded stays. A newer call ends an older one. */
  load(file: SoundFile): Promise<Loaded | LoadFailure>
  /** Ends a load under way. */
  cancelLoad(): void
  /** Takes the sound away, and its kept copy. */
  clear(): Promise<void>
  /** The project that this device keeps, loaded; undefined where there is none. */
  restore(): Promise<Loaded | LoadFailure | undefined>

  /** Heard at once, and kept with the project. Out of range is brought into it. */
  change(settings: Partial<MakerSettings>): void
  /** Says the tempo that a person knows better; kept with the project. */
  correctBpm(bpm: number): void

  play(): Promise<void>
  pause(): void
  /** @param sourceS seconds of the source, whatever the rate */
  seek(sourceS: number): void
  /** A part of the source that is played over and over; the whole by default. */
  setLoop(loop: LoopRange): void
  /** The original is heard as loud as the edit. The position stays at the same place of the music. */
  compare(heard: 'edited' | 'original'): void
  /** 0 to 1 */
  setVolume(volume: number): void
  /** Told at once, with every frame of the screen while it plays, and once after each seek. */
  onPosition(listener: (position: Position) => void): () => void

  /** What an export would be, before the work. */
  estimate(format: ExportFormat): Estimate | undefined
  /**
   * Renders the whole sound away from the main thread. `sink` takes the file's bytes as they come; without one the file is in the result.
   * One at a time: a second call ends the first.
   */
  export(format: ExportFormat, options?: ExportOptions): ExportTask

  /** Frees all: workers, contexts, files, object URLs. */
  dispose(): void
}

export interface SoundFile {
  readonly name: string
  readonly blob: Blob
}

export interface MakerSettings {
  /** 0.1 to 2 */
  readonly speed: number
  /** Semitones, -12 to 12. */
  readonly pitch: number
  /** Percent of the longest reverb. */
  readonly reverbSize: number
  /** Percent; 0 is off. */
  readonly reverbAmount: number
  /** -12 to 12; 0 is off. */
  readonly bassDb: number
}

export interface EngineState {
  readonly phase: 'empty' | 'loading' | 'loaded'
  /** While it loads, 0 to 1; undefined where it cannot be told. */
  readonly loadProgress: number | undefined
  readonly sound: LoadedSound | undefined
  readonly settings: MakerSettings
  /** speed x 2^(pitch / 12), which source frames are there for a frame of the output. */
  readonly rate: number
  /** Of the output with the settings, reverb's tail included; 0 without a sound. */
  readonly lengthS: number
  readonly playing: boolean
  readonly heard: 'edited' | 'original'
  readonly loop: LoopRange
  readonly volume: number
  readonly exporting: { readonly format: ExportFormat; readonly progress: number } | undefined
}

export interface LoadedSound {
  readonly name: string
  readonly fileBytes: number
  readonly sampleRate: number
  /** Of the file; what is heard and exported has 2 at most. */
  readonly sourceChannels: number
  readonly channels: 1 | 2
  readonly frames: number
  readonly durationS: number
  readonly title: string | undefined
  readonly artist: string | undefined
  /** Told later than the rest; undefined before, and where no beat was found. */
  readonly bpm: number | undefined
  /** It is read from the disk, as memory is too small for it. */
  readonly streamed: boolean
  /** The file ends early: this is what there is. */
  readonly truncated: boolean
  readonly peaks: Peaks
}

/** The wave for drawing: the lowest and the highest sample of each stretch of the source, over all channels, by turns, -1 to 1. */
export interface Peaks {
  readonly framesPerPeak: number
  readonly values: Float32Array
}

export interface LoopRange {
  readonly on: boolean
  readonly startS: number
  readonly endS: number
}

export interface Position {
  /** Seconds of the source. */
  readonly sourceS: number
  /** Of what is heard, left and right; -Infinity where it is silent. */
  readonly peakDb: readonly [number, number]
}

export interface Loaded {
  readonly kind: 'loaded'
  readonly sound: LoadedSound
}

export type LoadFailure =
  /** Not one of the file types that the maker takes. */
  | { readonly kind: 'invalid-type' }
  /** It is one of them by its name, and its bytes cannot be decoded. */
  | { readonly kind: 'undecodable' }
  /** It is protected against copying. */
  | { readonly kind: 'protected' }
  /** It holds no sound at all: 0 bytes or 0 frames. */
  | { readonly kind: 'no-sound' }
  | { readonly kind: 'too-large'; readonly neededBytes: number; readonly availableBytes: number }
  /** `cancelLoad`, or a newer `load`. */
  | { readonly kind: 'cancelled' }

export type ExportFormat = 'wav-int16' | 'wav-float32' | 'mp3'

export interface Estimate {
  readonly fileName: string
  readonly bytes: number
  readonly lengthS: number
  /** Why it cannot be made: no frames come out, over 4 GiB, or no room on the device. */
  readonly problem: 'no-length' | 'too-large' | 'no-room' | undefined
}

export interface ExportOptions {
  /** Closed when it has all, aborted when it does not get it. */
  readonly sink?: WritableStream<Uint8Array<ArrayBuffer>> | undefined
}

export interface ExportTask {
  /** Never rejects. */
  readonly result: Promise<Exported | ExportFailure>
  /** What it holds is free within 100 ms. */
  cancel(): void
}

export interface Exported {
  readonly kind: 'exported'
  readonly fileName: string
  readonly bytes: number
  /** Undefined where a sink took it. */
  readonly file: Blob | undefined
  /** What it was lowered by so that nothing clips; 0 where it was not. */
  readonly loweredDb: number
}

export type ExportFailure =
  | { readonly kind: 'no-sound' }
  | { readonly kind: 'no-length' }
  | { readonly kind: 'too-large' }
  /** The disk or the memory is full. */
  | { readonly kind: 'no-room' }
  | { readonly kind: 'cancelled' }
  /** The sink refused, or a worker failed. */
  | { readonly kind: 'failed'; readonly reason: string }
