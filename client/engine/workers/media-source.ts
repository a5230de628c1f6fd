import { type AudioSample, AudioSampleSink, BlobSource, Input, type InputAudioTrack, MATROSKA, MP4, OGG, QTFF, WEBM } from 'mediabunny'
import { findCodecChannelMask } from '../../../dsp/mix-down.ts'
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
const ASSUMED_BYTES_PER_SECOND = 8000

/**
 * The maximum difference in frames between the length in the header and the length of the packets, caused by the encoder's delay and
 * padding.
 */
const MAX_PADDING_FRAMES = 4096

export const MEDIA_FORMATS = [MP4, QTFF, OGG, WEBM, MATROSKA]

const openInput = (blob: Blob) => new Input({ source: new BlobSource(blob), formats: MEDIA_FORMATS })

/** Opens an MP4, Ogg or Matroska file. Never rejects. */
export async function openContainer(blob: Blob, containerKind: SniffedFile['kind']): Promise<SampleSource | SourceFailure> {
  try {
    if (containerKind !== 'ogg') return await openMedia(blob, containerKind)
    const { links, flac, isSpeex } = await readOggFacts(blob)
    if (isSpeex) return 'unsupported-codec'
    // The media library does not know FLAC in Ogg, which browsers decode.
    if (flac !== undefined) return { facts: flac }
    return await joinSources(links.map((link) => () => openMedia(link, containerKind)))
  } catch {
    return 'undecodable'
  }
}

async function openMedia(blob: Blob, containerKind: SniffedFile['kind']): Promise<SampleSource | SourceFailure> {
  const movieFacts = containerKind === 'mp4' ? await readMp4Facts(blob) : undefined
  if (movieFacts?.failure !== undefined) return movieFacts.failure
  const input = openInput(blob)
  const audioTrack = await input.getPrimaryAudioTrack()
  // Without an audio track, the file is a video without sound or a file without its track table.
  if (audioTrack === null) return (await input.getTracks()).length > 0 ? 'no-sound' : 'undecodable'
  const isFileCut = containerKind === 'matroska' && (await isMatroskaTruncated(blob))
  return openTrack(audioTrack, {
    fileBytes: blob.size,
    hasItunesDelay: movieFacts?.hasItunesDelay ?? false,
    edits: movieFacts?.editsByTrackId.get(audioTrack.id) ?? [],
    isCut: isFileCut,
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
  const isTrackDecodable = (await withDecoderTimeout(track.canDecode())) === true
  const decodedSampleRate = codec === 'aac' && isTrackDecodable ? await findDecodedRate(track) : undefined
  const codedRate = await track.getSampleRate()
  const sampleRate = decodedSampleRate ?? codedRate
  const channels = await track.getNumberOfChannels()
  if (codec === null) return 'unsupported-codec'
  if (!isPlayableRate(sampleRate) || channels < 1 || channels > MAX_CHANNELS) return 'undecodable'
  const isTrackStreamable = isTrackDecodable && (codec !== 'aac' || decodedSampleRate !== undefined)
  const trackLengths = await measureTrack(track, sampleRate)
  const editedRanges = computeEditRanges(edits, sampleRate, trackLengths.trackFrames)
  const declaredFrames = editedRanges?.frames ?? trackLengths.frames
  // HE-AAC decodes to twice its coded sampling rate, and may start with silence of unknown length.
  const isSimpleAac = codec === 'aac' && sampleRate === codedRate
  return {
    facts: {
      codec: 'other',
      isWorkerPreferred: isSimpleAac && isTrackStreamable && !hasItunesDelay && editedRanges?.isInOrder !== false,
      isUncompressed: false,
      isStreamable: isTrackStreamable,
      sampleRate,
      channels,
      channelMask: findCodecChannelMask(channels),
      expectedFrames: declaredFrames ?? Math.ceil((fileBytes / ASSUMED_BYTES_PER_SECOND) * sampleRate),
      declaredFrames,
      isCut,
    },
    ...(isTrackStreamable && {
      chunks: () =>
        copyRanges(decodeSamples(track), {
          // Samples before time 0 are encoder delay, which is dropped.
          firstFrame: editedRanges === undefined ? ({ timestamp }) => Math.min(0, Math.round(timestamp * sampleRate)) : 0,
          ranges: editedRanges?.ranges ?? [{ start: 0, end: trackLengths.frames ?? Number.POSITIVE_INFINITY }],
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
  const firstTimestampS = await track.getFirstTimestamp().catch(() => 0)
  const headerDurationS = await track.getDurationFromMetadata()
  // Computing the duration reads pages or packets, and may fail at an incomplete last one.
  const packetsDurationS = (await track.computeDuration().catch(() => undefined)) ?? headerDurationS
  if (packetsDurationS === null || !(packetsDurationS > firstTimestampS)) return { frames: undefined, trackFrames: undefined }
  const isDurationAgreed = headerDurationS !== null && Math.abs(packetsDurationS - headerDurationS) * sampleRate <= MAX_PADDING_FRAMES
  const countFramesSince = (startS: number) => Math.round(((isDurationAgreed ? headerDurationS : packetsDurationS) - startS) * sampleRate)
  // Frames before time 0 are the encoder's delay.
  return { frames: countFramesSince(Math.max(0, firstTimestampS)), trackFrames: countFramesSince(firstTimestampS) }
}

/**
 * Returns the ranges of frames that an edit list plays, counted from the first frame of the track; `undefined` if the edit list removes no
 * more than the padding. `isInOrder` is false if the edits repeat or rearrange parts of the track, which only `decodeAudioData` supports.
 */
function computeEditRanges(editListEntries: readonly EditListEntry[], sampleRate: number, trackFrames: number | undefined) {
  const totalFrames = trackFrames ?? Number.POSITIVE_INFINITY
  const frameRanges = editListEntries.map(({ startS, durationS }): FrameRange => {
    const start = Math.round(startS * sampleRate)
    return { start, end: Math.min(totalFrames, start + Math.round(durationS * sampleRate)) }
  })
  const [lastRange] = frameRanges.slice(-1)
  if (lastRange === undefined || (frameRanges.length === 1 && !(totalFrames - lastRange.end > MAX_PADDING_FRAMES))) return undefined
  const isInOrder = frameRanges.every(({ start }, index) => start >= (frameRanges[index - 1]?.end ?? 0))
  return { ranges: frameRanges, isInOrder, frames: frameRanges.reduce((sum, { start, end }) => sum + Math.max(0, end - start), 0) }
}

/**
 * Returns the sampling rate of the decoded samples; `undefined` if the decoder stalls. The decoded rate of HE-AAC is twice the coded rate,
 * and is known reliably only after decoding.
 */
async function findDecodedRate(track: InputAudioTrack): Promise<number | undefined> {
  try {
    for await (const audioSample of decodeSamples(track)) {
      const { sampleRate } = audioSample
      audioSample.close()
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
async function* decodeSamples(track: InputAudioTrack): AsyncGenerator<AudioSample, void> {
  const audioSamples = new AudioSampleSink(track).samples()
  try {
    for (;;) {
      let stallTimer: ReturnType<typeof setTimeout> | undefined
      const stallPromise = new Promise<never>((_, reject) => {
        stallTimer = setTimeout(() => reject(new DecoderStall('the decoder returns nothing')), DECODER_TIMEOUT_MS)
      })
      const result = await Promise.race([audioSamples.next(), stallPromise]).finally(() => clearTimeout(stallTimer))
      if (result.done) return
      yield result.value
    }
  } finally {
    // The end of the iteration is not awaited, because a stalled decoder never returns.
    audioSamples.return().catch(() => {})
  }
}
