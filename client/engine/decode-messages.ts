import type { Peaks } from './engine.ts'
import type { SourceFacts, SourceFailure } from './sample-source.ts'

/** To the worker that reads files: first what a file is, then, if wanted, its samples. */
export type DecodeRequest =
  | { readonly kind: 'open'; readonly blob: Blob }
  /** @property scratchName the file to write to; without one the samples come back */
  | { readonly kind: 'read'; readonly scratchName: string | undefined }
  /** What the browser's decoder gives is mixed down and measured like what is read here: so many frames, in pieces that follow. */
  | { readonly kind: 'take'; readonly frames: number }
  | { readonly kind: 'piece'; readonly channels: readonly Float32Array<ArrayBuffer>[] }

export type DecodeReply =
  | { readonly kind: 'opened'; readonly facts: SourceFacts }
  | { readonly kind: 'refused'; readonly failure: SourceFailure }
  | { readonly kind: 'progress'; readonly progress: number }
  | ReadReply
  /** The disk is full. */
  | { readonly kind: 'no-room' }

export interface ReadReply {
  readonly kind: 'read'
  readonly frames: number
  /** The file's samples, mixed down; empty where they are in the scratch file. */
  readonly channels: readonly Float32Array<ArrayBuffer>[]
  readonly peaks: Peaks
  /** It could not be read to its end. */
  readonly damaged: boolean
}
