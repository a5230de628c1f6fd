import type { Level } from '../../dsp/loudness.ts'
import type { VideoDesign, VideoFormat, VideoOptions, VideoStudio } from './video/video-design.ts'

export type { Level } from '../../dsp/loudness.ts'
export type * from './video/video-design.ts'

/** The folder of the origin private file system in which the maker's projects are saved. */
export const PROJECT_FOLDER = 'maker-projects'
/** The folder in which earlier versions saved one project. */
export const EARLIER_PROJECT_FOLDER = 'maker'
/** The folder of the songs that a batch has not exported yet. */
export const BATCH_FOLDER = 'maker-batch'
/** All folders in which the maker keeps what a person has made. */
export const MAKER_FOLDERS: readonly string[] = [PROJECT_FOLDER, EARLIER_PROJECT_FOLDER, BATCH_FOLDER]

/** The reverb and bass of the preset Slowed + Reverb. */
export const SLOWED_EFFECTS = { reverbSize: 50, reverbAmount: 35, bassDb: 3 } as const

/**
 * The maker's audio engine. Its methods are the commands. `getSnapshot` and `subscribe` give access to its state. Position and progress
 * have listeners of their own, because they change too often for a state that components render. Failures are typed results, for which the
 * page has the texts.
 */
export interface Engine {
  getSnapshot(): EngineState
  subscribe(listener: () => void): () => void

  /**
   * Replaces the loaded sound. A running export of the replaced sound continues. If loading fails, the loaded sound stays. A call cancels a
   * load that is still running.
   */
  load(file: SoundFile): Promise<LoadSuccess | LoadFailure>
  cancelLoad(): void
  /** Unloads the sound and deletes its project, which `projects.restore` undoes for a minute. */
  clear(): Promise<void>
  /** Loads the project that was opened last on this device; undefined if there is none. */
  restore(): Promise<LoadSuccess | LoadFailure | undefined>
  /** Loads a project of the list; undefined if it does not exist or its song is incomplete. */
  openProject(id: string): Promise<LoadSuccess | LoadFailure | undefined>
  /** The projects of the account on this device. */
  readonly projects: ProjectLibrary

  /** Changes settings of the maker, limited to their ranges. They take effect at once and are saved with the project. */
  changeSettings(settings: Partial<MakerSettings>): void
  /** Changes which part of the sound is kept, and its fades. The change takes effect at once and is saved with the project. */
  changeEdits(edits: Partial<SoundEdits>): void
  /** Keeps only a range of the edited sound, given in seconds. */
  keepRange(startS: number, endS: number): void
  /** Removes the silence at both ends. Resolves with false if there is none, or if all is silent. */
  cutSilence(): Promise<boolean>
  /** Restores the settings and edits of a step of `history`. `history.index - 1` undoes the last change. */
  goToStep(index: number): void
  /** Changes what is written besides the samples, and how loud files are. Opening a file sets the tags to those of the file. */
  changeOutput(changes: Partial<OutputOptions>): void
  /** Measures the level of the finished sound, before and after the loudness that is chosen; `undefined` without a sound. Rejects if it is aborted. */
  measureLevel(options: { readonly signal: AbortSignal; readonly onProgress: (progress: number) => void }): Promise<LevelReport | undefined>
  /** Sets the tempo of the source, instead of the detected one. It is saved with the project. */
  setBpm(bpm: number): void

  play(): Promise<void>
  pause(): void
  /** @param sourceS seconds of the source, at any playback rate */
  seek(sourceS: number): void
  /** Sets the range of the source that is repeated; by default the whole source. */
  setLoop(loop: LoopRange): void
  /**
   * Selects whether the edited or the original sound is played. The two sounds are equally loud, and playback continues at the same place
   * in the music.
   */
  setMonitor(monitor: 'edited' | 'original'): void
  /** @param volume 0 to 1 */
  setVolume(volume: number): void
  /**
   * Calls `listener` at once, with every animation frame during playback, and after each seek. Returns the function that unsubscribes the
   * listener.
   */
  onPosition(listener: (position: Position) => void): () => void
  /** Calls `listener` at once and whenever a load or an export progresses. Returns the function that unsubscribes the listener. */
  onProgress(listener: (progress: Progress) => void): () => void

  /** Estimates an export without rendering it; undefined if no sound is loaded. */
  estimate(format: ExportFormat): ExportEstimate | undefined
  /**
   * Renders the whole sound in workers. `sink` receives the file's bytes as they are ready; without a sink the file is in the result.
   * A new export cancels a running one.
   */
  export(format: ExportFormat, options?: ExportOptions): ExportTask

  /** Loads the code with which the page designs videos. The caller disposes the studio. */
  openVideoStudio(): Promise<VideoStudio>
  /** Renders the whole sound with the pictures of the video. Like `export`, this method cancels a running export. */
  exportVideo(design: VideoDesign, format: VideoFormat, options?: VideoOptions): ExportTask
  /** Returns a file name with the given extension for a file made from the loaded sound; `undefined` if no sound is loaded. */
  videoFileName(format: VideoFormat): string | undefined

  /** Whether songs of the account wait on this device, exported or not, for the person to continue or to save them. */
  hasStoredBatch(): Promise<boolean>
  /** Loads the code that exports many songs. Each call returns the same batch, with the hooks of the first call. */
  openBatch(hooks: BatchHooks): Promise<Batch>

  /** Releases workers, audio contexts, files and listeners. Resolves when the project is saved. */
  dispose(): Promise<void>
}

/** The projects of an account on this device. A method that changes one resolves with false if another tab has it open or if the device has no room. */
export interface ProjectLibrary {
  /** Returns the projects in no particular order. Rejects if the browser gives the site no private file system. */
  list(): Promise<readonly ProjectSummary[]>
  /** Calls `listener` after each change, also of other tabs. Returns the function that unsubscribes it. */
  subscribe(listener: () => void): () => void
  rename(id: string, title: string): Promise<boolean>
  /** Returns the id of the copy; `undefined` if the device has no room. */
  duplicate(id: string): Promise<string | undefined>
  /** Deletes a project. `restore` undoes this for a minute. */
  remove(id: string): Promise<boolean>
  restore(id: string): Promise<boolean>
}

/** A maker project in the list of projects. */
export interface ProjectSummary {
  readonly id: string
  readonly title: string
  readonly artist: string | undefined
  /** The number of source frames for each frame of the output. */
  readonly rate: number
  /** The length of the output in seconds; `undefined` for a project of an earlier version that was not opened since. */
  readonly lengthS: number | undefined
  /** The tempo of the output in beats per minute. */
  readonly bpm: number | undefined
  /** The size of the song's file. */
  readonly bytes: number
  /** Identifies the song's file, which a duplicate shares. */
  readonly source: string
  readonly changedAtMs: number
  /** The cover in the tags of the song's file. */
  readonly cover: Blob | undefined
}

/** The project that a sound belongs to. */
export interface OpenProject {
  readonly projectId: string | undefined
  /** Why the latest change is not saved; `undefined` if it is, or soon will be. */
  readonly saveProblem: 'no-room' | 'no-storage' | undefined
}

export interface SoundFile {
  readonly name: string
  readonly blob: Blob
}

export interface MakerSettings {
  /** The playback speed, 0.1 to 2; 1 is the original. */
  readonly speed: number
  /** The change of pitch in semitones, -12 to 12. */
  readonly pitch: number
  /** The length of the reverb in percent of the longest reverb. */
  readonly reverbSize: number
  /** The level of the reverb in percent; 0 switches the reverb off. */
  readonly reverbAmount: number
  /** The gain of the low shelf filter in dB, -12 to 12; 0 switches the filter off. */
  readonly bassDb: number
}

/** A range of frames of the file, end excluded. */
export interface FrameRange {
  readonly startFrame: number
  readonly endFrame: number
}

export type FadeShape = 'linear' | 'equal-power' | 's-curve'

export interface Fade {
  /** The length in seconds of the source, at any speed; 0 is no fade. */
  readonly seconds: number
  readonly shape: FadeShape
}

/** What is done to the sound before its speed is changed. */
export interface SoundEdits {
  /** The part of the file that is kept; `undefined` keeps all. */
  readonly range: FrameRange | undefined
  readonly fadeIn: Fade
  readonly fadeOut: Fade
}

/** The settings and edits after a change. */
export interface EditStep {
  readonly settings: MakerSettings
  readonly edits: SoundEdits
}

/** The changes of a project, the oldest first. The steps after `index` were undone. */
export interface EditHistory {
  readonly steps: readonly EditStep[]
  readonly index: number
}

/** What files and videos have besides the samples. */
export interface OutputOptions {
  /** The texts of the tags; empty ones are left out. */
  readonly tags: OutputTags
  /** The pattern of file names, as in `file-name.ts`; empty for the usual names. */
  readonly namePattern: string
  /** The integrated loudness that the sound is brought to, with a limiter; `undefined` to leave it as it is. */
  readonly targetLufs: number | undefined
}

export interface OutputTags {
  readonly title?: string | undefined
  readonly artist?: string | undefined
  readonly album?: string | undefined
  readonly year?: string | undefined
}

export interface LevelReport {
  readonly before: Level
  /** The level after the chosen loudness; `undefined` if none is chosen. */
  readonly after: Level | undefined
}

export interface EngineState extends OpenProject {
  readonly phase: 'empty' | 'loading' | 'loaded'
  /** The sound with its edits: its length and its waveform are those of the part that is kept. */
  readonly sound: LoadedSound | undefined
  readonly settings: MakerSettings
  readonly edits: SoundEdits
  readonly history: EditHistory
  /** The number of source frames for each frame of the output: speed x 2^(pitch / 12). */
  readonly rate: number
  /** The length of the output in seconds, reverb tail included; 0 without a sound. */
  readonly lengthS: number
  readonly isPlaying: boolean
  readonly monitor: 'edited' | 'original'
  readonly loop: LoopRange
  readonly volume: number
  /** Whether the tempo of the sound is being detected. If it is not, and `sound.bpm` is undefined, no beat was found. */
  readonly isDetectingTempo: boolean
  readonly output: OutputOptions
  /** The format of the running export, and the name of its song, which may be another one than the loaded song. */
  readonly runningExport: { readonly format: ExportFormat | 'video'; readonly songName: string } | undefined
}

/**
 * The progress of the running load and of the running export, each from 0 to 1. `undefined` if no load or export is running, and while its
 * progress is unknown.
 */
export interface Progress {
  readonly load: number | undefined
  readonly export: number | undefined
}

export interface LoadedSound {
  readonly name: string
  readonly fileBytes: number
  readonly sampleRate: number
  /** The number of channels of the file. Playback and exports have 2 at most. */
  readonly sourceChannels: number
  readonly channels: 1 | 2
  readonly frames: number
  readonly durationS: number
  readonly title?: string | undefined
  readonly artist?: string | undefined
  readonly album?: string | undefined
  /** Four digits. */
  readonly year?: string | undefined
  /** The cover in the file's tags. */
  readonly cover?: Blob | undefined
  /** The tempo of the source in beats per minute, detected after loading or set; `undefined` until then, and if no beat was found. */
  readonly bpm: number | undefined
  /** Whether the decoded samples are on the disk, because the memory is too small for them. */
  readonly streamed: boolean
  /** Whether the file is truncated. The sound then ends where decoding ended. */
  readonly truncated: boolean
  /** Whether parts of the file are damaged. The sound does not contain the damaged parts. */
  readonly damaged: boolean
  readonly peaks: Peaks
}

/** The waveform for drawing: the lowest and the highest sample, alternately, of each `framesPerPeak` frames over all channels, -1 to 1. */
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
  /** A position in seconds of the source, which does not depend on the speed. */
  readonly sourceS: number
  /** The current peak levels of the output in dBFS, left and right; -Infinity for silence. */
  readonly peakDb: readonly [number, number]
}

export interface LoadSuccess {
  readonly kind: 'loaded'
  readonly sound: LoadedSound
}

export type LoadFailure =
  /** The loaded file is of a type that the maker does not support. */
  | { readonly kind: 'invalid-type' }
  /** The file is of a supported type, but cannot be decoded. */
  | { readonly kind: 'undecodable' }
  /** The file is of a supported type, but the browser has no decoder for its codec, for example ALAC. */
  | UnsupportedCodec
  /** The browser cannot read the file: it is a folder, or was moved or deleted after it was chosen. */
  | { readonly kind: 'unreadable' }
  /** The end of the file is missing, and with it the index, without which nothing can be decoded. */
  | { readonly kind: 'incomplete' }
  /** The loaded file is protected against copying. */
  | { readonly kind: 'protected' }
  /** The loaded file has 0 bytes or 0 frames. */
  | { readonly kind: 'no-sound' }
  | { readonly kind: 'too-large'; readonly neededBytes: number; readonly availableBytes: number }
  /** The load was cancelled, by `cancelLoad` or by a newer call of `load`. */
  | { readonly kind: 'cancelled' }

export interface UnsupportedCodec {
  readonly kind: 'unsupported-codec'
  /** Whether the server has a decoder for files of this codec. */
  readonly isConvertible: boolean
}

export type ExportFormat = 'wav-int16' | 'wav-int24' | 'wav-float32' | 'flac-int16' | 'flac-int24' | 'mp3'

export interface ExportEstimate {
  readonly fileName: string
  /** The size of the file; of a FLAC file at most. */
  readonly bytes: number
  readonly lengthS: number
  /** The reason for which the export would fail: the output has 0 frames, the WAV file exceeds 4 GiB, or there is too little storage. */
  readonly exportProblem: 'no-length' | 'too-large' | 'no-room' | undefined
}

export interface ExportOptions {
  /** Receives the file's bytes. It is closed when the file is complete, and aborted if the export fails or is cancelled. */
  readonly sink?: WritableStream<Uint8Array<ArrayBuffer>> | undefined
}

export interface ExportTask {
  /** Resolves when the export has ended, and never rejects. */
  readonly result: Promise<ExportSuccess | ExportFailure>
  /** Cancels the export. Its workers and files are released within 100 ms. */
  cancel(): void
}

export interface ExportSuccess {
  readonly kind: 'exported'
  readonly fileName: string
  readonly bytes: number
  /** The exported file; `undefined` if its bytes were written to a sink. */
  readonly file: Blob | undefined
  /** By how many dB the level was reduced so that the loudest sample does not clip; 0 if it would not have clipped. */
  readonly loweredDb: number
  /** The level of the exported sound, if it was brought to a loudness. */
  readonly level?: Level
}

export type ExportFailure =
  | { readonly kind: 'no-sound' }
  | { readonly kind: 'no-length' }
  | { readonly kind: 'too-large' }
  /** The export failed because storage or memory is full. */
  | { readonly kind: 'no-room' }
  | { readonly kind: 'cancelled' }
  /** The engine was disposed during the export. */
  | { readonly kind: 'closed' }
  /** The export failed because the sink rejected a write or a worker failed. */
  | { readonly kind: 'failed'; readonly reason: string }

/** Songs that are exported one after the other with one choice of settings. At most one batch of an account exists on a device. */
export interface Batch {
  getSnapshot(): BatchState
  subscribe(listener: () => void): () => void
  /** Calls `listener` whenever the song in progress advances. Returns the function that unsubscribes it. */
  onProgress(listener: (progress: BatchProgress) => void): () => void
  /** Starts a batch. Does nothing if this or another tab has one. Without a folder, the files are collected in a ZIP file. */
  start(inputs: readonly BatchInput[], plan: BatchPlan, folder?: FileSystemDirectoryHandle): Promise<void>
  /** Continues a paused batch. Asks for the permissions of its folders, so it must be called in a user gesture. */
  resume(): Promise<void>
  /** Provides the files of songs that cannot be read any more. Files are recognised by their names and sizes. */
  provide(inputs: readonly BatchInput[]): void
  /** Replaces the folder that the files are written to. */
  replaceFolder(folder: FileSystemDirectoryHandle): void
  /** Puts a failed or cancelled song back in the queue. */
  retry(id: string): Promise<void>
  cancel(id: string): void
  cancelAll(): void
  /** Returns the ZIP file once the batch has ended. */
  readZip(): Promise<Blob | undefined>
  /** Forgets the batch and deletes its copies and its ZIP file. Files in a chosen folder stay. */
  clear(): Promise<void>
  dispose(): void
}

/** The functions of the page that a batch calls. */
export interface BatchHooks {
  /** Returns the speed that brings a song of this tempo to the target tempo; `undefined` if no allowed speed does. */
  readonly fitSpeed: (bpm: number, pitch: number) => number | undefined
  readonly onExported: (file: { readonly fileName: string; readonly bytes: number; readonly settings: MakerSettings }) => void
}

/** A song as the person dropped or picked it. */
export interface BatchInput {
  readonly file: File
  /** The folders between the chosen folder and the file, joined by `/`; empty without folders. */
  readonly folderPath: string
  /** The file's handle and the chosen folder, whose permission includes the file. Without them the file is copied. */
  readonly handle?: FileSystemFileHandle | undefined
  readonly root?: FileSystemDirectoryHandle | undefined
}

export interface BatchPlan {
  readonly settings: MakerSettings
  /** Whether the speed of each song is fitted to its tempo. */
  readonly isTempoFitted: boolean
  readonly format: ExportFormat
  /** The pattern of the file names, with fields in braces. */
  readonly namePattern: string
  readonly presetName: string
}

export interface BatchState {
  /**
   * - `opening`: the stored batch is being read
   * - `empty`: there is no batch
   * - `elsewhere`: another tab has the batch
   * - `paused`: songs wait, and `resume` continues
   * - `ended`: no song waits
   */
  readonly phase: 'opening' | 'empty' | 'elsewhere' | 'running' | 'paused' | 'ended'
  readonly items: readonly BatchItem[]
  readonly plan: BatchPlan | undefined
  /** The name of the folder that the files are written to; `undefined` if they are collected in a ZIP file. */
  readonly folderName: string | undefined
  /** Why the batch paused by itself. */
  readonly problem: BatchProblem | undefined
}

/**
 * - `no-room`: storage or memory is full
 * - `no-storage`: the browser has no private file system for the site, in which the ZIP file is written
 * - `folder-lost`: the folder cannot be written to
 * - `refused`: a permission was refused
 */
export type BatchProblem = 'no-room' | 'no-storage' | 'folder-lost' | 'refused'

export interface BatchItem {
  readonly id: string
  readonly name: string
  readonly folderPath: string
  readonly bytes: number
  readonly state: 'waiting' | 'running' | 'done' | 'failed' | 'cancelled'
  /** Whether the song must be picked again before it can be exported. */
  readonly isMissing: boolean
  /**
   * How the song is read after the tab was closed: from the person's folder, or from a copy on this device. `page`: it must be picked again.
   */
  readonly source: 'folder' | 'copy' | 'page'
  /** The name of the exported file, which is reserved when rendering begins. */
  readonly fileName?: string | undefined
  readonly writtenBytes?: number | undefined
  readonly loweredDb?: number | undefined
  /** The speed that was used, if it was fitted. `null`: the song has no tempo that can be fitted. */
  readonly fittedSpeed?: number | null | undefined
  readonly failure?: LoadFailure | ExportFailure | undefined
}

export interface BatchProgress {
  readonly id: string
  /** From 0 to 1. */
  readonly progress: number
}
