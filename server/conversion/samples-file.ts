import { openSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { SONG_MINUTES_MAX } from '../../contract/conversion-rules.ts'
import { silenceInvalidSamples } from '../../dsp/levels.ts'
import { mixDown } from '../../dsp/mix-down.ts'
import { createDiskSpaceCheck } from '../disk-space.ts'
import { type FailureCode, SAMPLES_MAX_BYTES } from './job.ts'

/** A decoded song: interleaved 32-bit floats in a file. */
export interface DecodedSound {
  /** The file descriptor of the open file. */
  fileDescriptor: number
  sampleRate: number
  channels: 1 | 2
  frames: number
}

export interface DecodedFormat {
  sampleRate: number
  channels: number
  /** The speakers of the channels, as in WAVE_FORMAT_EXTENSIBLE. */
  channelMask?: number | undefined
}

/** The accepted sampling rates. A hostile file can declare a rate for which filters would run endlessly. */
const SAMPLE_RATE_MIN = 1000
const SAMPLE_RATE_MAX = 768_000

/**
 * The maximum length of the samples in the file: one second more than the limit of songs, so that a song that is too long can be detected.
 */
const SOUND_SECONDS_MAX = SONG_MINUTES_MAX * 60 + 1

/** Writes decoded samples to a file. As in the page, the samples are mixed down to two channels, and invalid samples become silent. */
export function createSamplesFile(filePath: string, { sampleRate, channels: sourceChannels, channelMask }: DecodedFormat) {
  const isFormatValid = sampleRate >= SAMPLE_RATE_MIN && sampleRate <= SAMPLE_RATE_MAX && sourceChannels >= 1
  const channelCount = sourceChannels === 1 ? 1 : 2
  const fileDescriptor = openSync(filePath, 'w+', 0o600)
  const requireSpace = createDiskSpaceCheck(dirname(filePath))
  let frameCount = 0
  return {
    /** Whether no more samples are needed: the song is longer than the limits, or its format is not valid. */
    isFull: () => !isFormatValid || frameCount >= SOUND_SECONDS_MAX * sampleRate || frameCount * channelCount * 4 > SAMPLES_MAX_BYTES,

    /** Adds samples, one array for each channel. @throws Error if the disk is full */
    async write(samples: readonly Float32Array<ArrayBuffer>[]): Promise<void> {
      for (const channelSamples of samples) silenceInvalidSamples(channelSamples)
      const [leftSamples = new Float32Array(), rightSamples] = mixDown(samples, channelMask)
      const interleavedSamples = rightSamples === undefined ? leftSamples : interleaveSamples(leftSamples, rightSamples)
      await requireSpace(interleavedSamples.byteLength)
      writeSync(fileDescriptor, new Uint8Array(interleavedSamples.buffer, interleavedSamples.byteOffset, interleavedSamples.byteLength))
      frameCount += leftSamples.length
    },

    finish(): DecodedSound | FailureCode {
      if (!isFormatValid) return 'undecodable'
      if (frameCount === 0) return 'empty'
      if (frameCount > SONG_MINUTES_MAX * 60 * sampleRate) return 'too-long'
      return frameCount * channelCount * 4 > SAMPLES_MAX_BYTES
        ? 'too-large'
        : { fileDescriptor, sampleRate, channels: channelCount, frames: frameCount }
    },
  }
}

function interleaveSamples(leftSamples: Float32Array, rightSamples: Float32Array): Float32Array<ArrayBuffer> {
  const interleavedSamples = new Float32Array(2 * leftSamples.length)
  for (let frame = 0; frame < leftSamples.length; frame++) {
    interleavedSamples[2 * frame] = leftSamples[frame] as number
    interleavedSamples[2 * frame + 1] = rightSamples[frame] as number
  }
  return interleavedSamples
}
