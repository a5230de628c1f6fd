import { ADTS, type AudioSample, AudioSampleSink, BlobSource, FLAC, Input, type InputAudioTrack, MP3, MP4, OGG, QTFF } from 'mediabunny'
import { type Gapless, readGapless } from './mp3-gapless.ts'
import { isProtected } from './protection.ts'
import { isPlayableRate, MAX_CHANNELS, type SampleSource, type SourceFailure } from './sample-source.ts'

/** As music is hardly packed more tightly: 64 kbit/s. For files whose length cannot be told. */
const LOW_BYTES_PER_SECOND = 8000

const FORMATS = [MP4, QTFF, OGG, FLAC, ADTS, MP3]

/** A compressed file of one of the types that the maker takes, by its content; 'unknown' where it is none. Never rejects. */
export async function openMedia(blob: Blob): Promise<SampleSource | SourceFailure> {
  const input = new Input({ source: new BlobSource(blob), formats: FORMATS })
  // It rejects for some files that are too short for a header.
  if (!(await input.canRead().catch(() => false))) return 'unknown'
  try {
    if (await isProtected(blob)) return 'protected'
    const track = await input.getPrimaryAudioTrack()
    if (track !== null) return await openTrack(blob, input, track)
    // A film without sound; or what tells of the tracks is not there.
    return (await input.getTracks()).length > 0 ? 'no-sound' : 'undecodable'
  } catch {
    return 'undecodable'
  }
}

async function openTrack(blob: Blob, input: Input, track: InputAudioTrack): Promise<SampleSource | SourceFailure> {
  const codec = await track.getCodec()
  const sampleRate = await decodedRate(track)
  const channels = await track.getNumberOfChannels()
  if (codec === null || !isPlayableRate(sampleRate) || channels < 1 || channels > MAX_CHANNELS) return 'undecodable'
  // Damaged headers tell of times below 0, and headers of fragmented files of none.
  const timeFrames = (seconds: number | null) => (seconds === null || !(seconds > 0) ? undefined : Math.round(seconds * sampleRate))
  const gapless = codec === 'mp3' ? await readGapless(blob, sampleRate >= 32_000 ? 1152 : 576) : undefined
  const inHeader = timeFrames(await track.getDurationFromMetadata())
  const declaredFrames = codec === 'mp3' ? gapless?.frames : inHeader
  // That reads pages or packets, and may fail where the file ends amid one.
  const counted = declaredFrames ?? inHeader ?? timeFrames(await track.computeDuration().catch(() => null))
  const expectedFrames = counted ?? Math.ceil((blob.size / LOW_BYTES_PER_SECOND) * sampleRate)
  const tags = await input.getMetadataTags().catch(() => ({ title: undefined, artist: undefined }))
  const streamable = await track.canDecode()
  return {
    facts: {
      plain: false,
      streamable,
      sampleRate,
      channels,
      expectedFrames,
      declaredFrames,
      title: tags.title,
      artist: tags.artist,
    },
    ...(streamable && {
      chunks: () => decodeTrack(track, sampleRate, codec === 'mp3' ? gapless : { skipFrames: 0, frames: counted }),
    }),
  }
}

/** AAC may be coded at half of its rate, which its header tells or not: then the decoder does. */
async function decodedRate(track: InputAudioTrack): Promise<number> {
  if ((await track.getCodec()) !== 'aac' || !(await track.canDecode())) return track.getSampleRate()
  for await (const sample of new AudioSampleSink(track).samples()) {
    const { sampleRate } = sample
    sample.close()
    return sampleRate
  }
  return track.getSampleRate()
}

/** Just the frames that `decodeAudioData` gives: WebCodecs leaves the encoder's delay and padding in. */
async function* decodeTrack(track: InputAudioTrack, sampleRate: number, gapless: Pick<Gapless, 'skipFrames' | 'frames'> | undefined) {
  let toSkip = gapless?.skipFrames ?? 0
  let left = gapless?.frames ?? Number.POSITIVE_INFINITY
  for await (const sample of new AudioSampleSink(track).samples()) {
    try {
      // What comes before the time 0 is delay too.
      const early = Math.max(0, Math.round(-sample.timestamp * sampleRate))
      const skipped = Math.min(sample.numberOfFrames, Math.max(early, toSkip))
      toSkip -= Math.min(toSkip, sample.numberOfFrames)
      const frames = Math.min(left, sample.numberOfFrames - skipped)
      left -= frames
      if (frames > 0) yield copied(sample, skipped, frames)
    } finally {
      sample.close()
    }
    if (left === 0) return
  }
}

const copied = (sample: AudioSample, frameOffset: number, frameCount: number) =>
  Array.from({ length: sample.numberOfChannels }, (_, planeIndex) => {
    const samples = new Float32Array(frameCount)
    sample.copyTo(samples, { planeIndex, format: 'f32-planar', frameOffset, frameCount })
    return samples
  })
