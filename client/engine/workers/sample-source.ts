/** An opened file: the content of its headers, and its samples in chunks. */
export interface SampleSource {
  readonly facts: SourceFacts
  /**
   * The bytes that the browser's own decoder receives: the file without tags and damaged bytes; `undefined` if the decoder receives the
   * unchanged file.
   */
  readonly content?: Blob | undefined
  /** Whether the server converts files of this type. */
  readonly isConvertible?: boolean
  /**
   * Yields the samples in chunks of any length, one array for each channel. Undefined if only the browser's own decoder can read the file.
   * Throws at the first damaged position in the file; the chunks yielded before are valid.
   */
  readonly chunks?: (() => AsyncIterable<readonly Float32Array<ArrayBuffer>[]>) | undefined
}

export interface SourceFacts {
  readonly codec: 'mp3' | 'other'
  /**
   * Whether the worker decodes the file better than `decodeAudioData`: without rounding, or without blocking the page while a large result
   * is copied.
   */
  readonly isWorkerPreferred: boolean
  /** Whether the samples are stored uncompressed, so that their number is exact. */
  readonly isUncompressed: boolean
  /** Whether the samples can be read in chunks. */
  readonly isStreamable: boolean
  readonly sampleRate: number
  readonly channels: number
  /**
   * The speakers of the channels, as in WAVE_FORMAT_EXTENSIBLE; `undefined` if the file does not name them. In that case, all channels are
   * mixed so that all are audible.
   */
  readonly channelMask: number | undefined
  /** The estimated number of frames of the file. */
  readonly expectedFrames: number
  /**
   * The number of frames of the complete file, counted from its packets or, without packets, read from its headers; `undefined` if it is
   * unknown.
   */
  readonly declaredFrames: number | undefined
  /** Whether the file ends before the end that its headers announce. */
  readonly isCut?: boolean
  /** Whether parts of the file are damaged and left out. */
  readonly hasGaps?: boolean
}

/** Texts and cover in the tags of a file. A cover is usually a slice of the file, which takes no memory. */
export interface SourceTags {
  readonly title?: string | undefined
  readonly artist?: string | undefined
  readonly album?: string | undefined
  /** The year, which has four digits. */
  readonly year?: string | undefined
  readonly cover?: Blob | undefined
}

/** The reason for which a file cannot be read. `convertible`: the browser has no decoder for the file's codec, but the server has one. */
export type SourceFailure = 'unknown' | 'convertible' | 'undecodable' | 'unsupported-codec' | 'incomplete' | 'protected' | 'no-sound'

/** Whether the Web Audio API supports the sampling rate. */
export const isPlayableRate = (sampleRate: number): boolean => sampleRate >= 3000 && sampleRate <= 768_000
/** Maximum number of channels of an AudioBuffer. */
export const MAX_CHANNELS = 32
