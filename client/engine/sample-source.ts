/** A sound in a file, before it is decoded: what its headers tell, and its samples as they come. */
export interface SampleSource {
  readonly facts: SourceFacts
  /**
   * The samples in pieces of any length, one array for each channel. Undefined where only the browser's own decoder may know the file.
   * Throws where the file is damaged; what came before is good.
   */
  readonly chunks?: (() => AsyncIterable<readonly Float32Array<ArrayBuffer>[]>) | undefined
}

export interface SourceFacts {
  /** Its samples are in the file as they are: nothing to decode, and nothing to estimate. */
  readonly plain: boolean
  readonly streamable: boolean
  readonly sampleRate: number
  readonly channels: number
  /** How many there will be, about. */
  readonly expectedFrames: number
  /** How many the file says it has; undefined where it does not say. */
  readonly declaredFrames: number | undefined
  readonly title: string | undefined
  readonly artist: string | undefined
}

/** Why there is no sound to read. */
export type SourceFailure = 'unknown' | 'undecodable' | 'protected' | 'no-sound'

/** What the Web Audio API takes, in which all of it is heard. */
export const isPlayableRate = (sampleRate: number): boolean => sampleRate >= 3000 && sampleRate <= 768_000
/** The most channels of an AudioBuffer. */
export const MAX_CHANNELS = 32
