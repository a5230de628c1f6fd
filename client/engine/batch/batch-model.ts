import type { ExportFailure, ExportFormat } from '../export-model.ts'
import type { LoadFailure, MakerSettings } from '../sound-model.ts'
import type { VideoDesign, VideoFormat, VideoPicture } from '../video/video-design.ts'

/** Songs that are exported one after the other with one choice of settings. At most one batch of an account exists on a device. */
export interface Batch {
  getSnapshot(): BatchState
  subscribe(listener: () => void): () => void
  /** Calls `listener` whenever the song in progress advances. Returns the function that unsubscribes it. */
  onProgress(listener: (progress: BatchProgress) => void): () => void
  /** Starts a batch. Does nothing if this or another tab has a batch already. Without a folder, the files are collected in a ZIP file. */
  start(inputs: readonly BatchInput[], plan: BatchPlan, folder?: FileSystemDirectoryHandle): Promise<void>
  /** Continues a paused batch. Requests permissions for its folders, so it must be called in a user gesture. */
  resume(): Promise<void>
  /** Provides the files of songs that cannot be read any more. Files are recognised by their names and sizes. */
  provide(inputs: readonly BatchInput[]): void
  /** Replaces the folder that the files are written to. */
  replaceFolder(folder: FileSystemDirectoryHandle): void
  /** Puts a failed or cancelled song back in the queue. */
  retry(id: string): Promise<void>
  cancel(id: string): void
  cancelAll(): void
  /** Returns the ZIP file once the batch has ended; `undefined` if it cannot be completed, and then the state has the problem. */
  readZip(): Promise<Blob | undefined>
  /** Forgets the batch and deletes its copies and its ZIP file. Files in a chosen folder stay. */
  clear(): Promise<void>
  dispose(): void
}

/** The functions of the page that a batch calls. */
export interface BatchHooks {
  /** Returns the speed that brings a song of this tempo to the target tempo; `undefined` if no allowed speed does. */
  readonly fitSpeed: (bpm: number, pitch: number) => number | undefined
  /** Returns the cover for the video of a song without one. The same seed always results in the same cover. */
  readonly describeCover: (size: Pick<VideoDesign, 'width' | 'height'>, seed: string) => Promise<VideoPicture>
  readonly onExported: (file: { readonly fileName: string; readonly bytes: number; readonly settings: MakerSettings }) => void
}

/** A song as the person dropped or picked it. */
export interface BatchInput {
  readonly file: File
  /** The folders between the chosen folder and the file, joined by `/`; empty without folders. */
  readonly folderPath: string
  /**
   * The file's handle, and the chosen folder, whose permission includes the file. If both are missing, the file is copied to this device.
   */
  readonly handle?: FileSystemFileHandle | undefined
  readonly root?: FileSystemDirectoryHandle | undefined
}

export interface BatchPlan {
  readonly settings: MakerSettings
  /** Whether the speed of each song is fitted to its tempo. */
  readonly isTempoFitted: boolean
  /** The format of the sound files. */
  readonly format: ExportFormat
  /** The videos that are made of the songs. Plans stored by earlier versions lack this field. */
  readonly video?: BatchVideo | undefined
  /** The pattern of the file names, with fields in braces. */
  readonly namePattern: string
  /**
   * The loudness to which the exported files are brought; if it is absent, their level is unchanged. Plans stored by earlier versions lack
   * this field.
   */
  readonly targetLufs?: number | undefined
  readonly presetName: string
}

export interface BatchVideo {
  readonly design: Omit<VideoDesign, 'picture' | 'title' | 'artist'>
  /** Whether title and artist of the song are on its picture. */
  readonly hasText: boolean
  /** The picture of all videos; `undefined`: each video shows the cover in the tags of its song, or else a drawn one. */
  readonly picture: Blob | undefined
  readonly format: VideoFormat
  /** Whether each song is exported as a sound file in addition to the video. */
  readonly isBesideSound: boolean
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
  /** The problem that made the batch pause without a command, or with which the ZIP file of an ended batch could not be completed. */
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
   * How the song can be read after the tab was closed: from the person's folder, or from a copy on this device. `page`: the song can be
   * read only by this page and must then be picked again.
   */
  readonly source: 'folder' | 'copy' | 'page'
  /** The name of the sound file, which is reserved when rendering begins. */
  readonly fileName?: string | undefined
  /** The name of the video, which is reserved before the video is written. */
  readonly videoName?: string | undefined
  /** The size of the written files together. */
  readonly writtenBytes?: number | undefined
  readonly loweredDb?: number | undefined
  /** The speed of the export, if speeds are fitted to the songs' tempos. `null`: no speed fits the tempo of this song. */
  readonly fittedSpeed?: number | null | undefined
  readonly failure?: LoadFailure | ExportFailure | undefined
}

export interface BatchProgress {
  readonly id: string
  /** The progress of the song that is being exported, from 0 to 1. */
  readonly progress: number
}
