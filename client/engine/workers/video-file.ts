import {
  AudioSample,
  AudioSampleSource,
  EncodedAudioPacketSource,
  EncodedPacket,
  EncodedVideoPacketSource,
  type MetadataTags,
  MovOutputFormat,
  Mp4OutputFormat,
  Output,
  type OutputFormat,
  WebMOutputFormat,
} from 'mediabunny'
import { splitPackets } from '../video/aac-pieces.ts'
import { SILENT_VISUALIZER_DATA } from '../video/frame-painter.ts'
import { createSoundAnalyser, findWindowStart, WINDOW_FRAMES } from '../video/sound-analyser.ts'
import { VIDEO_MIME_TYPES, type VideoFormat } from '../video/video-design.ts'
import {
  AAC_DELAY_FRAMES,
  AAC_PACKET_FRAMES,
  countAacPackets,
  countPictures,
  countPicturesPerCycle,
  FRAME_RATE,
  SAMPLES_PER_PICTURE,
  VIDEO_SAMPLE_RATE,
} from '../video/video-timing.ts'
import type { VideoResult, VideoSoundChunk, VideoStartRequest } from './calls.ts'
import { openFileTarget } from './file-target.ts'
import { openPictureSource } from './picture-source.ts'
import { createSampleHistory } from './sample-history.ts'
import type { SourceTags } from './sample-source.ts'
import { createFrameEncoder, type EncodedFrame, type EncodingSettings } from './video-encoding.ts'
import { createVideoPainter, type PaintedPicture, toSeconds, type VideoPainter } from './video-painter.ts'

/** A video that is written while its sound arrives. */
export interface VideoFile {
  /** Adds the next part of the sound, and the pictures up to its end. */
  add(part: VideoSoundChunk): Promise<void>
  finish(): Promise<VideoResult>
}

export async function createVideoFile(request: VideoStartRequest): Promise<VideoFile> {
  const { format, scene, sound } = request
  const delayFrames = sound.codec === 'aac' ? AAC_DELAY_FRAMES : 0
  // The last packet may extend beyond the end of the sound.
  const pictureCount = countPictures(sound.codec === 'aac' ? countAacPackets(sound.frames) * AAC_PACKET_FRAMES : sound.frames)
  const fileTarget = await openFileTarget(request.destination, VIDEO_MIME_TYPES[format.container])
  const output = new Output({ format: createOutputFormat(format.container), target: fileTarget.target })
  const soundTrack = createSoundTrack(output, sound)
  const videoSource = new EncodedVideoPacketSource(format.videoCodec.startsWith('avc1') ? 'avc' : 'vp9')
  output.addVideoTrack(videoSource, { frameRate: FRAME_RATE, maximumPacketCount: pictureCount })
  output.setMetadataTags(await createMetadata(request.tags, format.container))
  await output.start()

  const pictureSource = await openPictureSource(request.picture)
  if (pictureSource === undefined) throw new Error('the picture cannot be decoded')
  const videoPainter = createVideoPainter(scene, pictureSource, request.isGliding)
  let decoderConfig: VideoDecoderConfig | undefined
  let writtenPictureCount = 0

  async function writeFrame({ frame, type, data }: EncodedFrame) {
    const encodedPacket = new EncodedPacket(data, type, toSeconds(frame), toSeconds(1))
    await videoSource.add(encodedPacket, decoderConfig && { decoderConfig })
    decoderConfig = undefined
    writtenPictureCount++
  }

  const picturesPerCycle = scene.overlay === 'none' ? countPicturesPerCycle(videoPainter.loopDurationS) : undefined
  const encodedPictures =
    picturesPerCycle === undefined || picturesPerCycle >= pictureCount
      ? createUnrepeatedPictures({ format, size: scene, painter: videoPainter, delayFrames, overlay: scene.overlay })
      : createRepeatedPictures({ format, size: scene, painter: videoPainter, frames: pictureCount, cyclePictureCount: picturesPerCycle })
  const writePictures = async (endPictureIndex: number) => {
    for await (const { frame, config } of encodedPictures.encodeUpTo(Math.min(pictureCount, endPictureIndex))) {
      if (writtenPictureCount === 0) decoderConfig = config
      await writeFrame(frame)
    }
  }
  return {
    async add(soundPart) {
      await soundTrack.add(soundPart)
      if (soundPart.samples !== undefined) encodedPictures.addSound(soundPart.samples)
      await writePictures(encodedPictures.countEncodablePictures(soundTrack.endFrame))
    },
    async finish() {
      try {
        await writePictures(pictureCount)
        for await (const { frame, config } of encodedPictures.finish()) {
          if (writtenPictureCount === 0) decoderConfig = config
          await writeFrame(frame)
        }
        if (writtenPictureCount !== pictureCount) throw new Error(`the encoder made ${writtenPictureCount} of ${pictureCount} pictures`)
        await output.finalize()
        return await fileTarget.finish()
      } catch (error) {
        await fileTarget.abort().catch(() => {})
        throw error
      } finally {
        pictureSource.dispose()
      }
    },
  }
}

/** Returns the tags of the video, with the bytes of the cover. */
async function createMetadata(
  { title, artist, album, year, cover }: SourceTags,
  container: VideoFormat['container'],
): Promise<MetadataTags> {
  // The failure is ignored, because the song's file may have been moved since it was opened.
  const coverBuffer = await cover?.arrayBuffer().catch(() => undefined)
  return {
    ...(title && { title }),
    ...(artist && { artist }),
    ...(album && { album }),
    // The year is written as a raw tag, because the library would write its `date` as a whole day.
    ...(year && { raw: { [container === 'webm' ? 'DATE' : '©day']: year } }),
    ...(cover && coverBuffer && { images: [{ data: new Uint8Array(coverBuffer), mimeType: cover.type, kind: 'coverFront' }] }),
  }
}

/** Space for the index is reserved at the beginning of the file, so that the rest of the file is written only once. */
function createOutputFormat(container: VideoFormat['container']): OutputFormat {
  if (container === 'webm') return new WebMOutputFormat()
  return container === 'mov' ? new MovOutputFormat({ fastStart: 'reserve' }) : new Mp4OutputFormat({ fastStart: 'reserve' })
}

/** The track of the sound, from packets of AAC or from samples. */
function createSoundTrack(output: Output, sound: VideoStartRequest['sound']) {
  let endFrame = 0
  if (sound.codec === 'aac') {
    const packetSource = new EncodedAudioPacketSource('aac')
    output.addAudioTrack(packetSource, { maximumPacketCount: countAacPackets(sound.frames) })
    let packetIndex = 0
    const decoderConfig: AudioDecoderConfig = {
      codec: 'mp4a.40.2',
      sampleRate: VIDEO_SAMPLE_RATE,
      numberOfChannels: 2,
      description: sound.description,
    }
    return {
      get endFrame() {
        return endFrame
      },
      async add({ packets }: VideoSoundChunk) {
        for (const packetData of packets === undefined ? [] : splitPackets(packets)) {
          const packetSeconds = (packetIndex * AAC_PACKET_FRAMES) / VIDEO_SAMPLE_RATE
          await packetSource.add(
            new EncodedPacket(packetData, 'key', packetSeconds, AAC_PACKET_FRAMES / VIDEO_SAMPLE_RATE),
            packetIndex === 0 ? { decoderConfig } : undefined,
          )
          packetIndex++
        }
        endFrame = packetIndex * AAC_PACKET_FRAMES
      },
    }
  }
  const sampleSource = new AudioSampleSource(
    sound.codec === 'opus' ? { codec: 'opus', bitrate: OPUS_BITS_PER_SECOND } : { codec: sound.codec },
  )
  output.addAudioTrack(sampleSource, { maximumPacketCount: Math.ceil(sound.frames / 1024) + 2 })
  return {
    get endFrame() {
      return endFrame
    },
    async add({ samples }: VideoSoundChunk) {
      if (samples === undefined || samples.length === 0) return
      const audioSample = new AudioSample({
        data: samples,
        format: 'f32',
        numberOfChannels: 2,
        sampleRate: VIDEO_SAMPLE_RATE,
        timestamp: endFrame / VIDEO_SAMPLE_RATE,
      })
      await sampleSource.add(audioSample)
      audioSample.close()
      endFrame += samples.length / 2
    },
  }
}

/** The bit rate of Opus in bits per second, above the rate at which the coding becomes inaudible. */
const OPUS_BITS_PER_SECOND = 256_000

interface EncodedPicture {
  readonly frame: EncodedFrame
  /** The decoder's configuration, which the encoder delivers with the first picture or earlier. */
  readonly config: VideoDecoderConfig | undefined
}

/** The encoded pictures of a video, in the order in which they are stored in the file. */
interface EncodedPictures {
  addSound(samples: Float32Array): void
  /** Returns how many pictures can be encoded once the sound has arrived up to `endFrame`. */
  countEncodablePictures(endFrame: number): number
  encodeUpTo(frame: number): AsyncIterable<EncodedPicture>
  finish(): AsyncIterable<EncodedPicture>
}

const createEncodingOptions = ({ videoCodec, latencyMode }: VideoFormat, { width, height }: PicturesDeps['size']): EncodingSettings => ({
  codec: videoCodec,
  latencyMode,
  width,
  height,
})

interface PicturesDeps {
  readonly format: VideoFormat
  readonly size: { readonly width: number; readonly height: number }
  readonly painter: VideoPainter
  readonly frames: number
}

/** The number of pictures that are encoded and dropped first, while the encoder's rate control settles. */
const SETTLING_PICTURE_COUNT = 30

/**
 * Encodes one cycle and repeats it with later times. Every cycle begins with a key frame and has an even number of them, so that the ids of two key
 * frames in succession differ, as H.264 demands (7.4.3, idr_pic_id).
 */
function createRepeatedPictures({
  format,
  size,
  painter,
  frames,
  cyclePictureCount,
}: PicturesDeps & { readonly cyclePictureCount: number }): EncodedPictures {
  const loopsPerCycle = painter.loopDurationS > 0 ? Math.max(1, Math.round(toSeconds(cyclePictureCount) / painter.loopDurationS)) : 0
  let encodedCycle: readonly EncodedFrame[] | undefined
  let config: VideoDecoderConfig | undefined
  /** The number of pictures that were written so far. */
  let pictureCount = 0

  async function encodeCycle() {
    const cycleFrames: EncodedFrame[] = []
    const frameEncoder = createFrameEncoder(createEncodingOptions(format, size), (encoded) => {
      if (encoded.frame >= SETTLING_PICTURE_COUNT) cycleFrames.push({ ...encoded, frame: encoded.frame - SETTLING_PICTURE_COUNT })
    })
    let picture: PaintedPicture | undefined
    try {
      for (let frameIndex = 0; frameIndex < SETTLING_PICTURE_COUNT + cyclePictureCount; frameIndex++) {
        const cyclePosition = (frameIndex + cyclePictureCount - SETTLING_PICTURE_COUNT) % cyclePictureCount
        if (picture === undefined || painter.loopDurationS > 0)
          picture = await painter.paint((cyclePosition / cyclePictureCount) * loopsPerCycle * painter.loopDurationS, SILENT_VISUALIZER_DATA)
        await frameEncoder.encode(picture, frameIndex)
      }
      await frameEncoder.finish()
      config = frameEncoder.decoderConfig
    } finally {
      frameEncoder.close()
    }
    if (cycleFrames.length !== cyclePictureCount) throw new Error(`the encoder made ${cycleFrames.length} of ${cyclePictureCount} pictures`)
    return cycleFrames
  }

  async function* encodeTo(endPictureIndex: number): AsyncIterable<EncodedPicture> {
    encodedCycle ??= await encodeCycle()
    for (; pictureCount < endPictureIndex; pictureCount++) {
      const encodedFrame = encodedCycle[pictureCount % cyclePictureCount]
      if (encodedFrame === undefined) return
      const frame = pictureCount - (pictureCount % cyclePictureCount) + encodedFrame.frame
      if (frame < frames) yield { frame: { ...encodedFrame, frame }, config }
    }
  }
  return {
    addSound() {},
    countEncodablePictures: (endFrame) => Math.floor(endFrame / SAMPLES_PER_PICTURE),
    encodeUpTo: encodeTo,
    finish: () => encodeTo(Math.ceil(frames / cyclePictureCount) * cyclePictureCount),
  }
}

/** Encodes every picture, because each one follows the sound, or because the clip is too long to be held in memory. */
function createUnrepeatedPictures({
  format,
  size,
  painter,
  delayFrames,
  overlay,
}: Omit<PicturesDeps, 'frames'> & {
  readonly delayFrames: number
  readonly overlay: VideoStartRequest['scene']['overlay']
}): EncodedPictures {
  const finishedFrames: EncodedFrame[] = []
  const frameEncoder = createFrameEncoder(createEncodingOptions(format, size), (frame) => finishedFrames.push(frame))
  const sampleHistory = createSampleHistory()
  const soundAnalyser = createSoundAnalyser()
  let nextPictureIndex = 0
  let config: VideoDecoderConfig | undefined

  function* takeFinishedPictures(): Iterable<EncodedPicture> {
    config ??= frameEncoder.decoderConfig
    for (const frame of finishedFrames.splice(0)) yield { frame, config }
  }
  return {
    addSound: (samples) => sampleHistory.add(samples),
    countEncodablePictures: (endFrame) =>
      overlay === 'none'
        ? Math.floor(endFrame / SAMPLES_PER_PICTURE)
        : // A picture needs the sound of its whole window.
          Math.floor((sampleHistory.endFrame - WINDOW_FRAMES - findWindowStart(0, delayFrames)) / SAMPLES_PER_PICTURE) + 1,
    async *encodeUpTo(endPictureIndex) {
      for (; nextPictureIndex < endPictureIndex; nextPictureIndex++) {
        const visualizerData =
          overlay === 'none'
            ? SILENT_VISUALIZER_DATA
            : soundAnalyser.analyse(sampleHistory.read(findWindowStart(nextPictureIndex, delayFrames)))
        await frameEncoder.encode(await painter.paint(toSeconds(nextPictureIndex), visualizerData), nextPictureIndex)
        yield* takeFinishedPictures()
      }
    },
    async *finish() {
      try {
        await frameEncoder.finish()
        yield* takeFinishedPictures()
      } finally {
        frameEncoder.close()
      }
    },
  }
}
