import type { Batch, BatchHooks } from './batch/batch-model.ts'
import type { ExportEstimate, ExportFailure, ExportFormat, ExportOptions, ExportTask, LevelReport, OutputOptions } from './export-model.ts'
import type { EditHistory, LoadedSound, LoadFailure, LoadSuccess, LoopRange, MakerSettings, Position, SoundEdits } from './sound-model.ts'
import type { VideoDesign, VideoFormat, VideoOptions, VideoStudio } from './video/video-design.ts'

export type * from './batch/batch-model.ts'
export type * from './export-model.ts'
export type * from './sound-model.ts'
export type * from './video/video-design.ts'

/** The folder of the origin private file system in which the maker's projects are saved. */
export const PROJECT_FOLDER = 'maker-projects'
/** The folder in which earlier versions saved one project. */
export const EARLIER_PROJECT_FOLDER = 'maker'
/** The folder of the songs that a batch has not exported yet. */
export const BATCH_FOLDER = 'maker-batch'
/** The folder of the finished sounds of projects, which can be rendered again. */
export const FINISHED_SOUNDS_FOLDER = 'maker-finished'
/** All folders in which the maker stores the projects and batches of a person. */
export const MAKER_FOLDERS: readonly string[] = [PROJECT_FOLDER, EARLIER_PROJECT_FOLDER, BATCH_FOLDER, FINISHED_SOUNDS_FOLDER]

/** The extension of the file of a project. */
export const PROJECT_FILE_EXTENSION = 'vsed'

/** The settings for reverb and bass in the preset Slowed + Reverb. */
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
  /** Loads the code and starts the worker that the next load needs, so that it begins sooner. */
  prepareLoad(): void
  /**
   * Unloads the sound and deletes its project, which `projects.restore` undoes for a minute. Resolves with whether the project is deleted: one that
   * is not stored, or that another tab has open, is not.
   */
  clear(): Promise<boolean>
  /** Loads the project that was opened last on this device; undefined if there is none. */
  restore(): Promise<LoadSuccess | LoadFailure | undefined>
  /** Loads a project of the list; undefined if it does not exist or its song is incomplete. */
  openProject(id: string): Promise<LoadSuccess | LoadFailure | undefined>
  /** The projects of the account on this device. */
  readonly projects: ProjectLibrary
  /**
   * Returns the finished sound of a project, with its settings and edits, for playback. It is rendered once and stored on the device. Rejects if `signal`
   * is aborted, or without a private file system.
   */
  openFinishedSound(projectId: string, signal: AbortSignal): Promise<FinishedSound | FinishedSoundFailure>

  /** Changes settings of the maker, limited to their ranges. They take effect immediately and are saved with the project. */
  changeSettings(settings: Partial<MakerSettings>): void
  /**
   * Changes which part of the sound is kept, and the fades at the ends of this part. The change takes effect immediately and is saved with the
   * project.
   */
  changeEdits(edits: Partial<SoundEdits>): void
  /** Keeps only a range of the edited sound, given in seconds. */
  keepRange(startS: number, endS: number): void
  /** Removes the silence at both ends. Resolves with false if there is none, or if all is silent. */
  cutSilence(): Promise<boolean>
  /** Restores the settings and edits of a step of `history`. `history.index - 1` undoes the last change. */
  goToStep(index: number): void
  /**
   * Changes the tags, names and loudness of exported files. The change is saved with the project. Opening a new song sets the tags to those
   * of its file.
   */
  changeOutput(changes: Partial<OutputOptions>): void
  /**
   * Replaces the cover by the middle of a picture, or with `undefined` by the cover in the file's tags. The change is saved with the
   * project. Resolves with false if the browser cannot decode the picture.
   */
  changeCover(picture: Blob | undefined): Promise<boolean>
  /**
   * Measures the level of the finished sound, before and after it is brought to the chosen loudness. Resolves with `undefined` if no sound
   * is loaded. Rejects if the measurement is aborted.
   */
  measureLevel(options: { readonly signal: AbortSignal; readonly onProgress: (progress: number) => void }): Promise<LevelReport | undefined>
  /** Sets the tempo of the source, instead of the detected one. It is saved with the project. */
  setBpm(bpm: number): void

  play(): Promise<void>
  pause(): void
  /** @param sourceS the position in the original sound in seconds, whatever the playback rate */
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
   * Calls `listener` immediately, with every animation frame during playback, and after each seek. Returns the function that unsubscribes the
   * listener.
   */
  onPosition(listener: (position: Position) => void): () => void
  /** Calls `listener` immediately and whenever a load or an export progresses. Returns the function that unsubscribes the listener. */
  onProgress(listener: (progress: Progress) => void): () => void

  /** Estimates an export without rendering it; undefined if no sound is loaded. */
  estimate(format: ExportFormat, options?: Pick<ExportOptions, 'isLoop'>): ExportEstimate | undefined
  /**
   * Renders the sound, or its loop, in workers. `sink` receives the file's bytes as they are ready; without a sink the file is in the
   * result. An export begins when the earlier ones have ended, with the settings at the time of the call.
   */
  export(format: ExportFormat, options?: ExportOptions): ExportTask

  /** Loads the code with which the page designs videos. The caller must dispose the returned studio. */
  openVideoStudio(): Promise<VideoStudio>
  /** Renders the whole sound with the pictures of the video. Like an export, a video begins when the earlier exports have ended. */
  exportVideo(design: VideoDesign, format: VideoFormat, options?: VideoOptions): ExportTask
  /** Returns a file name with the given extension for a file made from the loaded sound; `undefined` if no sound is loaded. */
  videoFileName(format: VideoFormat): string | undefined

  /** Whether this device has an unfinished batch of the account: some songs are not exported, or not yet saved by the person. */
  hasStoredBatch(): Promise<boolean>
  /** Loads the code that exports many songs. Each call returns the same batch, with the hooks of the first call. */
  openBatch(hooks: BatchHooks): Promise<Batch>

  /** Releases workers, audio contexts, files and listeners. Resolves when the project is saved. */
  dispose(): Promise<void>
}

/**
 * The projects of an account on this device. A method that changes a project resolves with false if another tab has the project open or if
 * the device has no storage space.
 */
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
  /**
   * Returns a project as a file, which another device can open; `undefined` if its song cannot be read. Rejects without a private file
   * system.
   */
  exportFile(id: string): Promise<SoundFile | undefined>
  /** Adds the project in a file to the projects of the account. */
  importFile(file: Blob): Promise<ProjectImportSuccess | ProjectImportFailure>
}

export interface ProjectImportSuccess {
  readonly kind: 'added'
  readonly id: string
}

/**
 * Why the file of a project was not opened:
 *
 * - `other`: it is another kind of file
 * - `newer`: a newer version of the maker has written it
 * - `incomplete`: its end is missing, or more follows it
 * - `invalid`: its description is not valid
 * - `unreadable`: the browser cannot read it
 * - `no-room`, `no-storage`: the device or the browser has no room for it
 */
export interface ProjectImportFailure {
  readonly kind: 'other' | 'newer' | 'incomplete' | 'invalid' | 'unreadable' | 'no-room' | 'no-storage'
}

export interface FinishedSound {
  readonly kind: 'finished'
  readonly blob: Blob
  /** The caller must call this function when it no longer reads the sound, so that the sound can be removed when space is short. */
  release(): void
}

export type FinishedSoundFailure = LoadFailure | ExportFailure | { readonly kind: 'no-project' }

/** A maker project in the list of projects. */
export interface ProjectSummary {
  readonly id: string
  readonly title: string
  readonly artist: string | undefined
  /** The number of source frames for each frame of the output. */
  readonly rate: number
  /**
   * The length of the output in seconds; `undefined` if the project was saved by an earlier version of the maker and has not been opened
   * since.
   */
  readonly lengthS: number | undefined
  /** The tempo of the output in beats per minute. */
  readonly bpm: number | undefined
  /** The size of the song's file. */
  readonly bytes: number
  /** Identifies the song's file, which a project shares with its duplicates. */
  readonly source: string
  readonly changedAtMs: number
  /** The cover that was chosen, or else the one in the tags of the song's file. */
  readonly cover: Blob | undefined
  /** Identifies the picture of the cover. */
  readonly coverSource: string | undefined
}

/** The project that a sound belongs to. */
export interface OpenProject {
  readonly projectId: string | undefined
  /** The reason for which the latest change could not be saved; `undefined` if the change is saved or about to be. */
  readonly saveProblem: 'no-room' | 'no-storage' | undefined
}

export interface SoundFile {
  readonly name: string
  readonly blob: Blob
}

export interface EngineState extends OpenProject {
  readonly phase: 'empty' | 'loading' | 'loaded'
  /** The sound after its edits. Length and waveform describe only the kept range. */
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
  readonly runningExport: QueuedExport | undefined
  /** The exports that wait for the running one. They begin one after the other. */
  readonly waitingExports: readonly QueuedExport[]
}

/** An export of the loaded song, or of a song that was loaded before. */
export interface QueuedExport {
  readonly id: number
  readonly format: ExportFormat | 'video'
  readonly songName: string
  readonly fileName: string
  cancel(): void
}

/**
 * The progress of the running load and of the running export, each from 0 to 1. `undefined` if no load or export is running, and while its
 * progress is unknown.
 */
export interface Progress {
  readonly loadProgress: number | undefined
  readonly exportProgress: number | undefined
}
