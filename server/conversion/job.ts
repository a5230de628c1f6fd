import type { ConversionFormat } from '../../contract/convert-rules.ts'

/** What the process of a conversion is told, as JSON in its first argument. Paths are absolute. */
export interface ConversionJob {
  ffmpeg: string
  /** The compiled kernel of the sound. */
  kernelFile: string
  inputFile: string
  outputFile: string
  /** A file for the decoded samples, which the server deletes. */
  samplesFile: string
  /** The decoder's name of the format that the bytes of the upload have. */
  demuxer: string
  /** The number of source frames for each frame of the output. */
  rate: number
  format: ConversionFormat
}

/** Why a conversion failed, as the last line of its output says. */
export const failureTexts = {
  undecodable: 'The file could not be decoded. Please try a different file.',
  'too-long': 'The song is too long: 20 minutes are the most, before and after the change of its speed.',
  empty: 'The file has no sound.',
  failed: 'The song could not be converted. Please try again.',
} as const
export type FailureCode = keyof typeof failureTexts
export const isFailureCode = (text: string): text is FailureCode => Object.hasOwn(failureTexts, text)
