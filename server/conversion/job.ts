import { type ConversionFormat, SONG_MINUTES_MAX } from '../../contract/conversion-rules.ts'

/** The number of frames of the longest song at 48 kHz, plus one second, so that a song that is too long can be detected. */
const FRAMES_MAX = (SONG_MINUTES_MAX * 60 + 1) * 48_000
/**
 * The maximum disk space of a song's decoded samples, which are stereo 32-bit floats. At sampling rates above 48 kHz, songs have to be shorter
 * accordingly.
 */
export const SAMPLES_MAX_BYTES = FRAMES_MAX * 2 * 4
/** The maximum disk space of a converted song in stereo with 16 bits. */
export const OUTPUT_MAX_BYTES = FRAMES_MAX * 2 * 2

/** The parameters of a conversion's process, which gets them as JSON in its first argument. Paths are absolute. */
export interface ConversionJob {
  ffmpeg: string
  /** The path of the compiled DSP kernel. */
  wasmKernelPath: string
  inputFile: string
  outputFile: string
  /** The path of a temporary file for the decoded samples, which the server deletes afterwards. */
  samplesFile: string
  /** The path of a temporary file for the content of the upload, if ffmpeg cannot read the upload itself. The server deletes it afterwards. */
  preparedFile: string
  /** ffmpeg's name of the upload's format, as detected from its bytes. */
  demuxer: string
  /** The number of source frames per output frame. */
  rate: number
  format: ConversionFormat
}

/** The messages of failed conversions, by the code that is the last line of the process's output. */
export const failureMessages = {
  undecodable: 'The file could not be decoded. Please try a different file.',
  'too-long': 'The song is too long: 20 minutes are the most, before and after the change of its speed.',
  'too-large': 'The song is too long for its sampling rate: 20 minutes at 48 kHz, or 10 minutes at 96 kHz, are the most.',
  'no-room': 'The server has no room for another song at present. Please try again later.',
  empty: 'The file has no sound.',
  failed: 'The song could not be converted. Please try again.',
} as const
export type FailureCode = keyof typeof failureMessages
export const isFailureCode = (text: string): text is FailureCode => Object.hasOwn(failureMessages, text)
