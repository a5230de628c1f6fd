import { type AudioSample, AudioSampleSink, BlobSource, Input, type InputAudioTrack, MATROSKA, MP4, OGG, QTFF, WEBM } from 'mediabunny'
import { codecChannelMask } from '../../../dsp/mix-down.ts'
import type { SniffedFile } from '../../../dsp/sniff.ts'
import { copyRanges, type FrameRange } from './copy-planes.ts'
import { joinSources } from './joined-source.ts'
import { isMatroskaTruncated } from './matroska-facts.ts'
import { type EditListEntry, readMp4Facts } from './mp4-facts.ts'
import { readOggFacts } from './ogg-facts.ts'
import { DECODER_TIMEOUT_MS, withDecoderTimeout } from './packet-decoder.ts'
import { isPlayableRate, MAX_CHANNELS, type SampleSource, type SourceFailure } from './sample-source.ts'

/**
 * The bytes per second of music at a low bit rate of 64 kbit/s. If the headers do not announce a length, the length is estimated from this
 * rate.
 */
const LOW_BYTES_PER_SECOND = 8000

/**
 * The maximum difference in frames between the length in the header and the length of the packets, caused by the encoder's delay and
 * padding.
 */
const PADDING_FRAMES = 4096

export const MEDIA_FORMATS = [MP4, QTFF, OGG, WEBM, MATROSKA]

const openInput = (blob: Blob) => new Input({ source: new BlobSource(blob), formats: MEDIA_FORMATS })

/** Opens an MP4, Ogg or Matroska file. Never rejects. */
export async function openContainer(blob: Blob, kind: SniffedFile['kind']): Promise<SampleSource | SourceFailure> {
  try {
    if (kind !== 'ogg') return await openMedia(blob, kind)
    const { links, flac, isSpeex } = await readOggFacts(blob)
    if (isSpeex) return 'unsupported-codec'
    // The media library does not know FLAC in Ogg, which browsers decode.
    if (flac !== undefined) return { facts: flac }
    return await joinSources(links.map((link) => () => openMedia(link, kind)))
  } catch {
    return 'undecodable'
  }
}

async function openMedia(blob: Blob, kind: SniffedFile['kind']): Promise<SampleSource | SourceFailure> {
  const movie = kind === 'mp4' ? await readMp4Facts(blob) : undefined
  if (movie?.failure !== undefined) return movie.failure
  const input = openInput(blob)
  const track = await input.getPrimaryAudioTrack()
  // Without an audio track, the file is a video without sound or a file without its track table.
  if (track === null) return (await input.getTracks()).length > 0 ? 'no-sound' : 'undecodable'
  const isCut = kind === 'matroska' && (await isMatroskaTruncated(blob))
  return openTrack(track, {
    fileBytes: blob.size,
    hasItunesDelay: movie?.hasItunesDelay ?? false,
    edits: movie?.edits.get(track.id) ?? [],
    isCut,
  })
}

/** The properties of a track that are read from the file before its packets are decoded. */
interface FileFacts {
  readonly fileBytes: number
  readonly hasItunesDelay: boolean
  readonly edits: readonly EditListEntry[]
  /** Whether the file is shorter than its headers announce. */
  readonly isCut: boolean
}

async function openTrack(
  track: InputAudioTrack,
  { fileBytes, hasItunesDelay, edits, isCut }: FileFacts,
): Promise<SampleSource | SourceFailure> {
  const codec = await track.getCodec()
  const isDecodable = (await withDecoderTimeout(track.canDecode())) === true
  const rateOfSamples = codec === 'aac' && isDecodable ? await decodedRate(track) : undefined
  const codedRate = await track.getSampleRate()
  const sampleRate = rateOfSamples ?? codedRate
  const channels = await track.getNumberOfChannels()
  if (codec === null) return 'unsupported-codec'
  if (!isPlayableRate(sampleRate) || channels < 1 || channels > MAX_CHANNELS) return 'undecodable'
  const isStreamable = isDecodable && (codec !== 'aac' || rateOfSamples !== undefined)
  const length = await measureTrack(track, sampleRate)
  const editedRanges = editRanges(edits, sampleRate, length.trackFrames)
  const declaredFrames = editedRanges?.frames ?? length.frames
  // HE-AAC decodes to twice its coded sampling rate, and may start with silence of unknown length.
  const isSimpleAac = codec === 'aac' && sampleRate === codedRate
  return {
    facts: {
      codec: 'other',
      isWorkerPreferred: isSimpleAac && isStreamable && !hasItunesDelay && editedRanges?.isInOrder !== false,
      isUncompressed: false,
      isStreamable,
      sampleRate,
      channels,
      channelMask: codecChannelMask(channels),
      expectedFrames: declaredFrames ?? Math.ceil((fileBytes / LOW_BYTES_PER_SECOND) * sampleRate),
      declaredFrames,
      isCut,
    },
    ...(isStreamable && {
      chunks: () =>
        copyRanges(decodedSamples(track), {
          // Samples before time 0 are encoder delay, which is dropped.
          firstFrame: editedRanges === undefined ? ({ timestamp }) => Math.min(0, Math.round(timestamp * sampleRate)) : 0,
          ranges: editedRanges?.ranges ?? [{ start: 0, end: length.frames ?? Number.POSITIVE_INFINITY }],
          gain: 1,
        }),
    }),
  }
}

/**
 * Returns the length of a track in frames twice: without and with the frames before time 0. The length is computed from the packets. The
 * length in the header is used only if it agrees, because it may be the length of the video track or of an unfinished recording, or be
 * counted from a time long before the first packet.
 */
async function measureTrack(track: InputAudioTrack, sampleRate: number) {
  const firstS = await track.getFirstTimestamp().catch(() => 0)
  const headerS = await track.getDurationFromMetadata()
  // Computing the duration reads pages or packets, and may fail at an incomplete last one.
  const packetsS = (await track.computeDuration().catch(() => undefined)) ?? headerS
  if (packetsS === null || !(packetsS > firstS)) return { frames: undefined, trackFrames: undefined }
  const isAgreed = headerS !== null && Math.abs(packetsS - headerS) * sampleRate <= PADDING_FRAMES
  const framesSince = (startS: number) => Math.round(((isAgreed ? headerS : packetsS) - startS) * sampleRate)
  // Frames before time 0 are the encoder's delay.
  return { frames: framesSince(Math.max(0, firstS)), trackFrames: framesSince(firstS) }
}

/**
 * Returns the ranges of frames that an edit list plays, counted from the first frame of the track; `undefined` if the edit list removes no
 * more than the padding. `isInOrder` is false if the edits repeat or rearrange parts of the track, which only `decodeAudioData` supports.
 */
function editRanges(edits: readonly EditListEntry[], sampleRate: number, trackFrames: number | undefined) {
  const totalFrames = trackFrames ?? Number.POSITIVE_INFINITY
  const ranges = edits.map(({ startS, durationS }): FrameRange => {
    const start = Math.round(startS * sampleRate)
    return { start, end: Math.min(totalFrames, start + Math.round(durationS * sampleRate)) }
  })
  const [lastRange] = ranges.slice(-1)
  if (lastRange === undefined || (ranges.length === 1 && !(totalFrames - lastRange.end > PADDING_FRAMES))) return undefined
  const isInOrder = ranges.every(({ start }, index) => start >= (ranges[index - 1]?.end ?? 0))
  return { ranges, isInOrder, frames: ranges.reduce((sum, { start, end }) => sum + Math.max(0, end - start), 0) }
}

/**
 * Returns the sampling rate of the decoded samples; `undefined` if the decoder stalls. The decoded rate of HE-AAC is twice the coded rate,
 * and is known reliably only after decoding.
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
    // The end of the iteration is not awaited, because a stalled decoder never returns.
    samples.return().catch(() => {})
  }
}
