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
  /** The length of the fade in seconds of the source, whatever the speed; 0 is no fade. */
  readonly seconds: number
  readonly shape: FadeShape
}

/** The edits that are applied to the sound before its speed is changed. */
export interface SoundEdits {
  /** The kept range of the file; `undefined` keeps the whole file. */
  readonly range: FrameRange | undefined
  readonly fadeIn: Fade
  readonly fadeOut: Fade
}

/** The settings and edits after a change. */
export interface EditStep {
  readonly settings: MakerSettings
  readonly edits: SoundEdits
}

/** The undo history of a project: its steps, the oldest first. The steps after `index` were undone. */
export interface EditHistory {
  readonly steps: readonly EditStep[]
  readonly index: number
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
  /** The year, which has four digits. */
  readonly year?: string | undefined
  /** The cover in the file's tags, or the one that the person has chosen instead. */
  readonly cover?: Blob | undefined
  /** Whether the person has chosen the cover. */
  readonly hasChosenCover?: boolean | undefined
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
  /** The position in the source, in seconds at the original speed. */
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
  /** The load was cancelled, by the page or by a newer load. */
  | { readonly kind: 'cancelled' }

export interface UnsupportedCodec {
  readonly kind: 'unsupported-codec'
  /** Whether the server has a decoder for files of this codec. */
  readonly isConvertible: boolean
}
