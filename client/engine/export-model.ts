import type { Level } from '../../dsp/loudness.ts'

export type { Level } from '../../dsp/loudness.ts'

export type ExportFormat = 'wav-int16' | 'wav-int24' | 'wav-float32' | 'flac-int16' | 'flac-int24' | 'mp3'

export interface ExportEstimate {
  readonly fileName: string
  /** The size of the file in bytes; for a FLAC file, the maximum size. */
  readonly bytes: number
  readonly lengthS: number
  /** The reason for which the export would fail: the output has 0 frames, the WAV file exceeds 4 GiB, or there is too little storage. */
  readonly exportProblem: 'no-length' | 'too-large' | 'no-room' | undefined
}

export interface ExportOptions {
  /** Receives the file's bytes. It is closed when the file is complete, and aborted if the export fails or is cancelled. */
  readonly sink?: WritableStream<Uint8Array<ArrayBuffer>> | undefined
  /** Whether only the loop is exported. The name of the file then says so. */
  readonly isLoop?: boolean | undefined
}

export interface ExportTask {
  /** Resolves when the export has ended, and never rejects. */
  readonly result: Promise<ExportSuccess | ExportFailure>
  /** Cancels the export, and terminates its workers before it returns. */
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

/** The person's choices for exported files and videos besides the sound's settings: tags, names and loudness. */
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
  /** The level after the sound is brought to the chosen loudness; `undefined` if no loudness is chosen. */
  readonly after: Level | undefined
}
