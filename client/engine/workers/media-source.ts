import {
  ADTS,
  type AudioSample,
  AudioSampleSink,
  BlobSource,
  FLAC,
  Input,
  type InputAudioTrack,
  MATROSKA,
  MP3,
  MP4,
  OGG,
  QTFF,
  WEBM,
} from 'mediabunny'
import { MP3_RESTORING_GAIN } from '../mp3-attenuation.ts'
import { type GaplessInfo, readGaplessInfo } from '../mp3-gapless.ts'
import { amplify } from './amplify.ts'
import type { Channels } from './calls.ts'
import { registerMp3Decoder } from './mp3-decoder.ts'
import { type Mp4Facts, readMp4Facts } from './mp4-facts.ts'
import { isPlayableRate, MAX_CHANNELS, type SampleSource, type SourceFailure } from './sample-source.ts'

/** The bytes per second of music at a low bit rate of 64 kbit/s, from which a length is estimated that the headers do not announce. */
const LOW_BYTES_PER_SECOND = 8000

/** The time after which a decoder that returns nothing is given up: WebKitGTK claims AAC, and without a plug-in neither decodes nor fails. */
const DECODER_TIMEOUT_MS = 10_000

const MEDIA_FORMATS = [MP4, QTFF, OGG, FLAC, ADTS, WEBM, MATROSKA, MP3]

/** Opens a compressed file of a supported type. Returns 'unknown' if the content is of another type. Never rejects. */
export async function openMedia(blob: Blob): Promise<SampleSource | SourceFailure> {
  const input = new Input({ source: new BlobSource(blob), formats: MEDIA_FORMATS })
  // The library rejects some files that are shorter than a header.
  if (!(await input.canRead().catch(() => false))) return 'unknown'
  try {
    const movie = await readMp4Facts(blob)
    if (movie.failure !== undefined) return movie.failure
    const track = await input.getPrimaryAudioTrack()
    if (track !== null) return await openTrack(blob, input, track, movie)
    // Without an audio track, the file is a video without sound or a file without its track table.
    return (await input.getTracks()).length > 0 ? 'no-sound' : 'undecodable'
  } catch {
    return 'undecodable'
  }
}

async function openTrack(
  blob: Blob,
  input: Input,
  track: InputAudioTrack,
  { hasItunesDelay }: Mp4Facts,
): Promise<SampleSource | SourceFailure> {
  const codec = await track.getCodec()
  if (codec === 'mp3') await registerMp3Decoder()
  const isDecodable = await track.canDecode()
  const rateOfSamples = codec === 'aac' && isDecodable ? await decodedRate(track) : undefined
  const sampleRate = rateOfSamples ?? (await track.getSampleRate())
  const channels = await track.getNumberOfChannels()
  if (codec === null) return 'unsupported-codec'
  if (!isPlayableRate(sampleRate) || channels < 1 || channels > MAX_CHANNELS) return 'undecodable'
  // Damaged headers may have negative times, headers of fragmented files none.
  const timeFrames = (seconds: number | null) => (seconds === null || !(seconds > 0) ? undefined : Math.round(seconds * sampleRate))
  const gapless = codec === 'mp3' ? await readGaplessInfo(blob, sampleRate >= 32_000 ? 1152 : 576) : undefined
  const headerFrames = timeFrames(await track.getDurationFromMetadata())
  const declaredFrames = codec === 'mp3' ? gapless?.frames : headerFrames
  // Computing the duration reads pages or packets, and may fail at an incomplete last one.
  const countedFrames = declaredFrames ?? headerFrames ?? timeFrames(await track.computeDuration().catch(() => null))
  const expectedFrames = countedFrames ?? Math.ceil((blob.size / LOW_BYTES_PER_SECOND) * sampleRate)
  const tags = await input.getMetadataTags().catch(() => ({ title: undefined, artist: undefined }))
  const isStreamable = isDecodable && (codec !== 'aac' || rateOfSamples !== undefined)
  // HE-AAC decodes to another sampling rate than its own, and may start with silence of unknown length.
  const isSimpleAac = codec === 'aac' && sampleRate === (await track.getSampleRate())
  return {
    facts: {
      codec: codec === 'mp3' ? 'mp3' : 'other',
      isWorkerPreferred: codec === 'flac' || (isSimpleAac && isStreamable && !hasItunesDelay),
      isUncompressed: false,
      isStreamable,
      sampleRate,
      channels,
      expectedFrames,
      declaredFrames,
      title: tags.title,
      artist: tags.artist,
    },
    ...(isStreamable && {
      chunks: () =>
        codec === 'mp3'
          ? decodeTrack(track, sampleRate, gapless, MP3_RESTORING_GAIN)
          : decodeTrack(track, sampleRate, { skipFrames: 0, frames: countedFrames }, 1),
    }),
  }
}

/**
 * Returns the sampling rate after decoding; `undefined` if the decoder stalls. HE-AAC doubles the coded rate, which is known reliably only after
 * decoding.
 */
async function decodedRate(track: InputAudioTrack): Promise<number | undefined> {
  try {
    for await (const sample of decodedSamples(track)) {
      const { sampleRate } = sample
      sample.close()
      return sampleRate
    }
    return await track.getSampleRate()
  } catch (error) {
    if (!(error instanceof DecoderStall)) throw error
    return undefined
  }
}

class DecoderStall extends Error {}

/** Decodes a track. @throws DecoderStall if the decoder returns nothing for a while */
async function* decodedSamples(track: InputAudioTrack): AsyncGenerator<AudioSample, void> {
  const samples = new AudioSampleSink(track).samples()
  try {
    for (;;) {
      let timer: ReturnType<typeof setTimeout> | undefined
      const stall = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new DecoderStall('the decoder returns nothing')), DECODER_TIMEOUT_MS)
      })
      const result = await Promise.race([samples.next(), stall]).finally(() => clearTimeout(timer))
      if (result.done) return
      yield result.value
    }
  } finally {
    // Not awaited, because a stalled decoder never returns.
    samples.return().catch(() => {})
  }
}

/**
 * Yields exactly the frames of `decodeAudioData`: WebCodecs does not remove the encoder's delay and padding.
 *
 * @param gain the factor that is applied to all samples
 */
async function* decodeTrack(
  track: InputAudioTrack,
  sampleRate: number,
  gapless: Pick<GaplessInfo, 'skipFrames' | 'frames'> | undefined,
  gain: number,
) {
  let framesToSkip = gapless?.skipFrames ?? 0
  let framesLeft = gapless?.frames ?? Number.POSITIVE_INFINITY
  for await (const sample of decodedSamples(track)) {
    try {
      // Samples before time 0 are encoder delay, which is dropped as well.
      const earlyFrames = Math.max(0, Math.round(-sample.timestamp * sampleRate))
      const skippedFrames = Math.min(sample.numberOfFrames, Math.max(earlyFrames, framesToSkip))
      framesToSkip -= Math.min(framesToSkip, sample.numberOfFrames)
      const frames = Math.min(framesLeft, sample.numberOfFrames - skippedFrames)
      framesLeft -= frames
      if (frames === 0) continue
      const channels = copyPlanes(sample, skippedFrames, frames)
      amplify(channels, gain)
      yield channels
    } finally {
      sample.close()
    }
    if (framesLeft === 0) return
  }
}

/**
 * Copies the samples of a range of frames, one array for each channel. Integers are divided by 2^15 or 2^31, as in a WAV file, because browsers
 * divide positive integers by one less.
 */
function copyPlanes(sample: AudioSample, frameOffset: number, frameCount: number): Channels {
  const { format, numberOfChannels } = sample
  const range = { frameOffset, frameCount }
  if (format !== 's16' && format !== 's32') {
    const planes = Array.from({ length: numberOfChannels }, () => new Float32Array(frameCount))
    for (const [planeIndex, samples] of planes.entries()) sample.copyTo(samples, { ...range, planeIndex, format: 'f32-planar' })
    return planes
  }
  const interleaved = new (format === 's16' ? Int16Array : Int32Array)(frameCount * numberOfChannels)
  sample.copyTo(interleaved, { ...range, planeIndex: 0, format })
  const scale = format === 's16' ? 2 ** -15 : 2 ** -31
  return Array.from({ length: numberOfChannels }, (_, channel) => {
    const samples = new Float32Array(frameCount)
    for (let frame = 0; frame < frameCount; frame++) samples[frame] = (interleaved[frame * numberOfChannels + channel] ?? 0) * scale
    return samples
  })
}
