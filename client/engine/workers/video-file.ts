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
import { createSoundAnalyser, WINDOW_FRAMES, windowStartSample } from '../video/sound-analyser.ts'
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
import { createVideoPainter, framesToSeconds, type PaintedPicture, type VideoPainter } from './video-painter.ts'

/** A video that is written while its sound arrives. */
export interface VideoFile {
  /** Adds the next part of the sound, and the pictures up to its end. */
  add(part: VideoSoundChunk): Promise<void>
  finish(): Promise<VideoResult>
}

export async function createVideoFile(request: VideoStartRequest): Promise<VideoFile> {
  const { format, scene, sound } = request
  const delayFrames = sound.codec === 'aac' ? AAC_DELAY_FRAMES : 0
  // The last packet may be longer than the sound.
  const pictureCount = countPictures(sound.codec === 'aac' ? countAacPackets(sound.frames) * AAC_PACKET_FRAMES : sound.frames)
  const file = await openFileTarget(request.destination, VIDEO_MIME_TYPES[format.container])
  const output = new Output({ format: outputFormat(format.container), target: file.target })
  const soundTrack = createSoundTrack(output, sound)
  const videoSource = new EncodedVideoPacketSource(format.videoCodec.startsWith('avc1') ? 'avc' : 'vp9')
  output.addVideoTrack(videoSource, { frameRate: FRAME_RATE, maximumPacketCount: pictureCount })
  output.setMetadataTags(await metadataOf(request.tags, format.container))
  await output.start()

  const source = await openPictureSource(request.picture)
  if (source === undefined) throw new Error('the picture cannot be decoded')
  const painter = createVideoPainter(scene, source, request.isGliding)
  let decoderConfig: VideoDecoderConfig | undefined
  let writtenFrames = 0

  async function writeFrame({ frame, type, data }: EncodedFrame) {
    const packet = new EncodedPacket(data, type, framesToSeconds(frame), framesToSeconds(1))
    await videoSource.add(packet, decoderConfig && { decoderConfig })
    decoderConfig = undefined
    writtenFrames++
  }

  const cycle = scene.overlay === 'none' ? countPicturesPerCycle(painter.loopS) : undefined
  const pictures =
    cycle === undefined || cycle >= pictureCount
      ? createFollowingPictures({ format, size: scene, painter, delayFrames, overlay: scene.overlay })
      : createRepeatedPictures({ format, size: scene, painter, frames: pictureCount, cycle })
  const writePictures = async (toFrame: number) => {
    for await (const { frame, config } of pictures.encodeTo(Math.min(pictureCount, toFrame))) {
      if (writtenFrames === 0) decoderConfig = config
      await writeFrame(frame)
    }
  }
  return {
    async add(part) {
      await soundTrack.add(part)
      if (part.samples !== undefined) pictures.addSound(part.samples)
      await writePictures(pictures.framesFor(soundTrack.endFrame))
    },
    async finish() {
      try {
        await writePictures(pictureCount)
        for await (const { frame, config } of pictures.finish()) {
          if (writtenFrames === 0) decoderConfig = config
          await writeFrame(frame)
        }
        if (writtenFrames !== pictureCount) throw new Error(`the encoder made ${writtenFrames} of ${pictureCount} pictures`)
        await output.finalize()
        return await file.finish()
      } catch (error) {
        await file.abort().catch(() => {})
        throw error
      } finally {
        source.dispose()
      }
    },
  }
}

/** Returns the tags of the video, with the bytes of the cover. */
async function metadataOf({ title, artist, album, year, cover }: SourceTags, container: VideoFormat['container']): Promise<MetadataTags> {
  // The failure is ignored, because the song's file may have been moved since it was opened.
  const data = await cover?.arrayBuffer().catch(() => undefined)
  return {
    ...(title && { title }),
    ...(artist && { artist }),
    ...(album && { album }),
    // The year is written as a raw tag, because the library would write its `date` as a whole day.
    ...(year && { raw: { [container === 'webm' ? 'DATE' : '©day']: year } }),
    ...(cover && data && { images: [{ data: new Uint8Array(data), mimeType: cover.type, kind: 'coverFront' }] }),
  }
}

/** Space for the index is reserved at the beginning of the file, so that the rest of the file is written only once. */
function outputFormat(container: VideoFormat['container']): OutputFormat {
  if (container === 'webm') return new WebMOutputFormat()
  return container === 'mov' ? new MovOutputFormat({ fastStart: 'reserve' }) : new Mp4OutputFormat({ fastStart: 'reserve' })
}

/** The track of the sound, from packets of AAC or from samples. */
function createSoundTrack(output: Output, sound: VideoStartRequest['sound']) {
  let endFrame = 0
  if (sound.codec === 'aac') {
    const source = new EncodedAudioPacketSource('aac')
    output.addAudioTrack(source, { maximumPacketCount: countAacPackets(sound.frames) })
    let packet = 0
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
        for (const data of packets === undefined ? [] : splitPackets(packets)) {
          const seconds = (packet * AAC_PACKET_FRAMES) / VIDEO_SAMPLE_RATE
          await source.add(
            new EncodedPacket(data, 'key', seconds, AAC_PACKET_FRAMES / VIDEO_SAMPLE_RATE),
            packet === 0 ? { decoderConfig } : undefined,
          )
          packet++
        }
        endFrame = packet * AAC_PACKET_FRAMES
      },
    }
  }
  const source = new AudioSampleSource(sound.codec === 'opus' ? { codec: 'opus', bitrate: OPUS_BITS } : { codec: sound.codec })
  output.addAudioTrack(source, { maximumPacketCount: Math.ceil(sound.frames / 1024) + 2 })
  return {
    get endFrame() {
      return endFrame
    },
    async add({ samples }: VideoSoundChunk) {
      if (samples === undefined || samples.length === 0) return
      const sample = new AudioSample({
        data: samples,
        format: 'f32',
        numberOfChannels: 2,
        sampleRate: VIDEO_SAMPLE_RATE,
        timestamp: endFrame / VIDEO_SAMPLE_RATE,
      })
      await source.add(sample)
      sample.close()
      endFrame += samples.length / 2
    },
  }
}

/** The bit rate of Opus in bits per second, above the rate at which the coding becomes inaudible. */
const OPUS_BITS = 256_000

interface EncodedPicture {
  readonly frame: EncodedFrame
  /** The decoder's configuration, which the encoder delivers with the first picture or earlier. */
  readonly config: VideoDecoderConfig | undefined
}

/** The encoded pictures of a video, in the order in which they are stored in the file. */
interface Pictures {
  addSound(samples: Float32Array): void
  /** Returns how many pictures can be encoded once the sound has arrived up to `endFrame`. */
  framesFor(endFrame: number): number
  encodeTo(frame: number): AsyncIterable<EncodedPicture>
  finish(): AsyncIterable<EncodedPicture>
}

const encodingOf = ({ videoCodec, latencyMode }: VideoFormat, { width, height }: PicturesDeps['size']): EncodingSettings => ({
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
const SETTLING_FRAMES = 30

/**
 * Encodes one cycle and repeats it with later times. Every cycle begins with a key frame and has an even number of them, so that the ids of two key
 * frames in succession differ, as H.264 demands (7.4.3, idr_pic_id).
 */
function createRepeatedPictures({ format, size, painter, frames, cycle }: PicturesDeps & { readonly cycle: number }): Pictures {
  const loopsPerCycle = painter.loopS > 0 ? Math.max(1, Math.round(framesToSeconds(cycle) / painter.loopS)) : 0
  let encodedCycle: readonly EncodedFrame[] | undefined
  let config: VideoDecoderConfig | undefined
  /** The number of pictures that were written so far. */
  let pictureCount = 0

  async function encodeCycle() {
    const keptFrames: EncodedFrame[] = []
    const encoder = createFrameEncoder(encodingOf(format, size), (encoded) => {
      if (encoded.frame >= SETTLING_FRAMES) keptFrames.push({ ...encoded, frame: encoded.frame - SETTLING_FRAMES })
    })
    let picture: PaintedPicture | undefined
    try {
      for (let frame = 0; frame < SETTLING_FRAMES + cycle; frame++) {
        const cyclePosition = (frame + cycle - SETTLING_FRAMES) % cycle
        if (picture === undefined || painter.loopS > 0)
          picture = await painter.paint((cyclePosition / cycle) * loopsPerCycle * painter.loopS, SILENT_VISUALIZER_DATA)
        await encoder.encode(picture, frame)
      }
      await encoder.finish()
      config = encoder.decoderConfig
    } finally {
      encoder.close()
    }
    if (keptFrames.length !== cycle) throw new Error(`the encoder made ${keptFrames.length} of ${cycle} pictures`)
    return keptFrames
  }

  async function* encodeTo(toPosition: number): AsyncIterable<EncodedPicture> {
    encodedCycle ??= await encodeCycle()
    for (; pictureCount < toPosition; pictureCount++) {
      const encodedFrame = encodedCycle[pictureCount % cycle]
      if (encodedFrame === undefined) return
      const frame = pictureCount - (pictureCount % cycle) + encodedFrame.frame
      if (frame < frames) yield { frame: { ...encodedFrame, frame }, config }
    }
  }
  return {
    addSound() {},
    framesFor: (endFrame) => Math.floor(endFrame / SAMPLES_PER_PICTURE),
    encodeTo,
    finish: () => encodeTo(Math.ceil(frames / cycle) * cycle),
  }
}

/** Encodes every picture, because each one follows the sound, or because the clip is too long to be held in memory. */
function createFollowingPictures({
  format,
  size,
  painter,
  delayFrames,
  overlay,
}: Omit<PicturesDeps, 'frames'> & { readonly delayFrames: number; readonly overlay: VideoStartRequest['scene']['overlay'] }): Pictures {
  const finishedFrames: EncodedFrame[] = []
  const encoder = createFrameEncoder(encodingOf(format, size), (frame) => finishedFrames.push(frame))
  const history = createSampleHistory()
  const analyser = createSoundAnalyser()
  let nextFrame = 0
  let config: VideoDecoderConfig | undefined

  function* takeFinished(): Iterable<EncodedPicture> {
    config ??= encoder.decoderConfig
    for (const frame of finishedFrames.splice(0)) yield { frame, config }
  }
  return {
    addSound: (samples) => history.add(samples),
    framesFor: (endFrame) =>
      overlay === 'none'
        ? Math.floor(endFrame / SAMPLES_PER_PICTURE)
        : // A picture needs the sound of its whole window.
          Math.floor((history.endFrame - WINDOW_FRAMES - windowStartSample(0, delayFrames)) / SAMPLES_PER_PICTURE) + 1,
    async *encodeTo(toFrame) {
      for (; nextFrame < toFrame; nextFrame++) {
        const look = overlay === 'none' ? SILENT_VISUALIZER_DATA : analyser.analyse(history.read(windowStartSample(nextFrame, delayFrames)))
        await encoder.encode(await painter.paint(framesToSeconds(nextFrame), look), nextFrame)
        yield* takeFinished()
      }
    },
    async *finish() {
      try {
        await encoder.finish()
        yield* takeFinished()
      } finally {
        encoder.close()
      }
    },
  }
}
