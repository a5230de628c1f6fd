import type { LevelProfile, MeteredSound } from '../../../dsp/level-meter.ts'
import type { GainCurve } from '../../../dsp/limiter.ts'
import type { RenderSettings } from '../../../dsp/render-plan.ts'
import type { ZipEntry } from '../batch/zip-format.ts'
import type { Peaks } from '../engine.ts'
import type { Scene } from '../video/frame-painter.ts'
import type { VideoFormat, VideoPicture } from '../video/video-design.ts'
import type { Call } from './protocol.ts'
import type { SourceFacts, SourceFailure, SourceTags } from './sample-source.ts'

/** One array of samples for each channel, full scale 1. */
export type Channels = readonly Float32Array<ArrayBuffer>[]

/** Decodes one file, or measures a file that the browser decodes on the page. */
export interface DecodeCalls {
  readonly open: Call<{ readonly blob: Blob }, OpenResponse>
  /** Reads all samples of the opened file. Progress is 0 to 1. */
  readonly read: Call<ReadRequest, ReadResponse | FileRefusal | { readonly kind: 'no-room' }, number>
  /** Starts a sound that the page sends with `addSamples`, and whose samples are multiplied by `gain`. */
  readonly startSamples: Call<{ readonly gain: number }, undefined>
  readonly addSamples: Call<{ readonly channels: Channels }, undefined>
  /** Returns the added samples, mixed down and measured. */
  readonly finishSamples: Call<undefined, ReadResponse>
}

/** `content` contains the bytes for the browser's own decoder: the file without tags and damaged bytes. */
export type OpenResponse =
  | { readonly kind: 'opened'; readonly facts: SourceFacts; readonly tags: SourceTags; readonly content: Blob }
  | FileRefusal

export interface FileRefusal {
  readonly kind: 'refused'
  readonly failure: SourceFailure
}

export interface ReadRequest {
  /** Name of the scratch file to write to; without a name the samples are returned. */
  readonly scratchName: string | undefined
}

export interface ReadResponse {
  readonly kind: 'read'
  readonly frames: number
  /** The samples in consecutive chunks, mixed down to two channels at most; none if they are in the scratch file. */
  readonly chunks: readonly Channels[]
  readonly peaks: Peaks
  /** Whether the file could not be read to its end. */
  readonly damaged: boolean
}

/** Detects the tempo of a sound of one channel. */
export interface TempoCalls {
  readonly detect: Call<TempoRequest, TempoResponse>
}

export interface TempoRequest {
  readonly samples: Float32Array<ArrayBuffer>
  readonly sampleRate: number
}

export interface TempoResponse {
  /** The tempo in beats per minute; `undefined` if there is no beat. */
  readonly bpm: number | undefined
}

/** Measures the level of one sound. */
export interface LevelCalls {
  readonly open: Call<MeteredSound, undefined>
  /** Adds the next samples, interleaved. */
  readonly add: Call<{ readonly samples: Float32Array<ArrayBuffer> }, undefined>
  readonly finish: Call<undefined, LevelProfile>
}

/** Encodes pieces of MP3 files. */
export interface Mp3Calls {
  /** Instantiates the encoder. `module` is the compiled `lame/lame.wasm`. */
  readonly open: Call<{ readonly module: WebAssembly.Module }, undefined>
  readonly encode: Call<Mp3PieceRequest, EncodedBytes>
}

export interface Mp3PieceRequest {
  /**
   * The samples that let the encoder adapt, then those of the piece's packets. Unless the piece is the last one, at least one more packet's samples
   * follow.
   */
  readonly samples: Channels
  readonly sampleRate: number
  readonly kbps: number
  /** LAME's quality of the algorithms, from 0 (best) to 9 (fastest). */
  readonly quality: number
  /** The number of packets before the piece whose samples are included, so that the encoder adapts to the sound. */
  readonly warmUpPackets: number
  /** The number of packets of the piece. */
  readonly packets: number
  readonly isLast: boolean
}

export interface EncodedBytes {
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** Appends files to a ZIP archive in the private file system, one at a time. */
export interface ZipCalls {
  /** Opens the archive and removes everything after its first `bytes` bytes. */
  readonly open: Call<{ readonly folderNames: readonly string[]; readonly fileName: string; readonly bytes: number }, undefined>
  readonly startEntry: Call<{ readonly name: string; readonly maxBytes: number; readonly modifiedMs: number }, undefined>
  readonly write: Call<{ readonly bytes: Uint8Array<ArrayBuffer> }, undefined>
  readonly finishEntry: Call<undefined, { readonly entry: ZipEntry; readonly endOffset: number }>
  /** Removes everything after the first `endOffset` bytes, where an entry ends. */
  readonly rewind: Call<{ readonly endOffset: number }, undefined>
  /**
   * Writes the ZIP archive's central directory after the last entry. If an entry is added later, it overwrites the directory, which then
   * has to be written again.
   */
  readonly finish: Call<{ readonly entries: readonly ZipEntry[] }, { readonly bytes: number }>
  readonly close: Call<undefined, undefined>
}

/** Renders segments of one sound at a time. */
export interface RenderCalls {
  /** Sets the sound and the settings of the segments that follow. */
  readonly open: Call<RenderOpenRequest, undefined>
  readonly render: Call<SegmentRequest, SegmentResponse>
  /**
   * Runs the code that computes reverbs until the browser has compiled that code, so that the first change of the reverb is not delayed.
   */
  readonly warmUp: Call<undefined, undefined>
  /** Releases the segment cache and the cache's file. */
  readonly close: Call<undefined, undefined>
}

export interface RenderOpenRequest {
  /** The compiled kernel; without it the TypeScript reference kernel is used. */
  readonly module: WebAssembly.Module | undefined
  readonly settings: RenderSettings
  /** Whether the sound is the same as in the previous `open` call, so that rendered parts of the sound can be reused. */
  readonly isSameSound: boolean
  readonly channels: 1 | 2
  readonly cache: CacheLimits
}

/** The memory and disk space in which a worker caches rendered segments between two passes over the sound. */
export interface CacheLimits {
  readonly memoryBytes: number
  /** The name of a scratch file for the segments that exceed the memory. */
  readonly file: { readonly name: string; readonly maxBytes: number } | undefined
}

export const NO_CACHE: CacheLimits = { memoryBytes: 0, file: undefined }

export interface SegmentRequest {
  readonly firstFrame: number
  readonly frames: number
  /** The source frames that the segment is rendered from; undefined if the worker has the segment in its cache. */
  readonly source: SourceRange | undefined
  readonly output: SegmentOutput
  /** The gain of the segment: one factor for all samples, or a curve. */
  readonly gain: number | GainCurve
  /**
   * Whether the worker caches the segment, before the gain is applied. With `if-clipping`, the worker caches only segments that clip, and
   * returns no samples for those.
   */
  readonly cache: 'never' | 'if-clipping' | 'always'
}

export interface SourceRange {
  readonly channels: Channels
  readonly startFrame: number
}

/**
 * `int16`: interleaved, with dither. `int24`: interleaved, three bytes for each sample. `float32`: interleaved. `planar`: floats, one array for each
 * channel. `flac-int16`, `flac-int24`: packets of those integers. `none`: only the peak.
 */
export type SegmentOutput = 'int16' | 'int24' | 'float32' | 'planar' | 'flac-int16' | 'flac-int24' | 'none'

export interface SegmentResponse {
  /** The largest absolute sample of the segment before the gain; 0 for a cached segment. */
  readonly peak: number
  readonly isCached: boolean
  /** The samples as one array, or as one for each channel; empty if the requested output is `none`. */
  readonly samples: readonly (Float32Array<ArrayBuffer> | Int16Array<ArrayBuffer> | Uint8Array<ArrayBuffer>)[]
  /** The arrays of the request, which are returned so that they can be reused. */
  readonly source: SourceRange | undefined
}

/** Reads one sound from a scratch file. */
export interface StoredSoundCalls {
  readonly open: Call<{ readonly scratchName: string; readonly channels: 1 | 2 }, undefined>
  /** Fills the arrays with the samples from `startFrame`, and returns them. Fails with a NotReadableError if the file is shorter. */
  readonly read: Call<{ readonly startFrame: number; readonly channels: Channels }, { readonly channels: Channels }>
}

/** Writes scratch files: one file at a time, and each from its start to its end. */
export interface FileCalls {
  readonly open: Call<{ readonly scratchName: string }, undefined>
  /** Fails with a QuotaExceededError if the disk is full. */
  readonly write: Call<{ readonly bytes: Uint8Array<ArrayBuffer> }, undefined>
  readonly clear: Call<undefined, undefined>
  /** Closes the file. Fails with a QuotaExceededError if the file is shorter than the written bytes. */
  readonly finish: Call<undefined, undefined>
  /** Closes the file with this name if it is still open. */
  readonly close: Call<{ readonly scratchName: string }, undefined>
}

/** Encodes pieces of a sound as AAC-LC. */
export interface AacCalls {
  readonly open: Call<AacOpenRequest, { /** The AudioSpecificConfig of the encoder. */ readonly description: Uint8Array<ArrayBuffer> }>
  readonly encode: Call<AacRequest, AacPackets>
}

export interface AacOpenRequest {
  readonly sampleRate: number
  readonly bitsPerSecond: number
}

export interface AacRequest {
  /** Samples of two channels, interleaved, in whole packets. */
  readonly samples: Float32Array<ArrayBuffer>
  /** The index of the first packet that is returned. The packets before it are encoded only so that the encoder adapts to the sound. */
  readonly firstPacket: number
  readonly packets: number
}

/** Consecutive AAC packets. */
export interface AacPackets {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly sizes: readonly number[]
}

/** Decodes pictures, paints previews, and writes one video. */
export interface VideoCalls {
  /** Decodes the first picture of a file and holds it for previews; `undefined` if the browser cannot decode the file. */
  readonly openPicture: Call<{ readonly id: number; readonly source: VideoPicture }, { readonly durationS: number } | undefined>
  readonly closePicture: Call<{ readonly id: number }, undefined>
  /** Paints a frame of a video over an opened picture. */
  readonly paintPreview: Call<{ readonly id: number; readonly scene: Scene; readonly isGliding: boolean }, ImageBitmap>
  /** Finds the video format that the browser can encode at a given picture size; `undefined` if it can encode none. */
  readonly findFormat: Call<{ readonly width: number; readonly height: number }, VideoFormat | undefined>
  readonly start: Call<VideoStartRequest, undefined>
  readonly add: Call<VideoSoundChunk, undefined>
  readonly finish: Call<undefined, VideoResult>
}

/** The destination of a video: a scratch file, a file that the person chose, or the memory. */
export type VideoDestination =
  | { readonly kind: 'scratch'; readonly scratchName: string }
  | { readonly kind: 'handle'; readonly handle: FileSystemFileHandle }
  | { readonly kind: 'memory' }

export interface VideoStartRequest {
  readonly destination: VideoDestination
  readonly format: VideoFormat
  readonly tags: SourceTags
  readonly scene: Scene
  readonly picture: VideoPicture
  readonly isGliding: boolean
  /** The sound's codec and its length in frames. */
  readonly sound: { readonly frames: number } & (
    | { readonly codec: 'aac' /** The AudioSpecificConfig of a sound in AAC. */; readonly description: Uint8Array<ArrayBuffer> }
    | { readonly codec: 'opus' | 'pcm-s24' }
  )
}

/** The next chunk of the sound: AAC packets, and interleaved samples of two channels if the samples are encoded or drawn. */
export interface VideoSoundChunk {
  readonly packets?: AacPackets
  readonly samples?: Float32Array<ArrayBuffer> | undefined
}

export interface VideoResult {
  readonly bytes: number
  /** The finished video file, unless it was written to the disk. */
  readonly file: Blob | undefined
}
