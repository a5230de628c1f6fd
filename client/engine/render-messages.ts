import type { RenderSettings } from '../../dsp/render-plan.ts'

/** What the page and a render worker say to each other. Each request is answered once, in order. */
export type RenderRequest = OpenRequest | SegmentRequest | CloseRequest

/** All that follows is by these settings, of one sound. */
export interface OpenRequest {
  readonly kind: 'open'
  /** The compiled kernel; without it the reference is used. */
  readonly module: WebAssembly.Module | undefined
  readonly settings: RenderSettings
  readonly channels: 1 | 2
  readonly keepIn: KeepPlace
}

/** Where a worker may keep rendered segments. */
export interface KeepPlace {
  readonly memoryBytes: number
  /** A scratch file. */
  readonly file: { readonly name: string; readonly maxBytes: number } | undefined
}

export const KEEP_NOTHING: KeepPlace = { memoryBytes: 0, file: undefined }

export interface SegmentRequest {
  readonly kind: 'segment'
  readonly firstFrame: number
  readonly frames: number
  /** The part of the sound that it is made from; undefined where the worker has kept it. */
  readonly source: SourcePart | undefined
  readonly output: SegmentOutput
  /** All samples are multiplied by this. */
  readonly gain: number
  /** Whether the segment is kept, before its gain; where that is for its loudness there is no output of it then. */
  readonly keep: 'never' | 'where-it-clips' | 'always'
}

export interface SourcePart {
  readonly channels: readonly Float32Array<ArrayBuffer>[]
  readonly startFrame: number
}

/** 16 bits with dither or floats, frame by frame; floats channel by channel; or only the peak. */
export type SegmentOutput = 'int16' | 'float32' | 'planar' | 'none'

/** The file is of no use from here on. */
export interface CloseRequest {
  readonly kind: 'close'
}

export type RenderAnswer = { readonly kind: 'opened' } | { readonly kind: 'closed' } | SegmentAnswer

export interface SegmentAnswer {
  readonly kind: 'segment'
  /** Before the gain; 0 for what was kept. */
  readonly peak: number
  readonly kept: boolean
  /** One array, or one for each channel; none where no output was asked for or the segment was kept in place of it. */
  readonly samples: readonly (Float32Array<ArrayBuffer> | Int16Array<ArrayBuffer>)[]
  /** Given back, to be used again. */
  readonly source: SourcePart | undefined
}
