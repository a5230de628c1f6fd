import type { VideoFormat } from '../video/video-design.ts'
import { FRAME_RATE, GOP_FRAMES } from '../video/video-timing.ts'
import { PLANAR_COLOR_SPACE } from './planar-picture.ts'
import type { PaintedPicture } from './video-painter.ts'

/** One encoded picture. `frame` is its index in display order; pictures may be stored in another order. */
export interface EncodedFrame {
  readonly frame: number
  readonly type: 'key' | 'delta'
  readonly data: Uint8Array<ArrayBuffer>
}

interface Size {
  readonly width: number
  readonly height: number
}

/** H.264 by profile, from the most efficient to the one that most devices play: High, Main, Constrained Baseline (ITU-T H.264, annex A). */
const H264_PROFILES = ['6400', '4d00', '42e0']
/**
 * The levels and the number of macroblocks (16 x 16 pixels) per picture that each level allows at 30 pictures per second (ITU-T H.264,
 * table A-1).
 */
const H264_LEVELS = [
  { macroblocks: 8192, code: '28' },
  { macroblocks: 22_080, code: '32' },
]

function h264Codecs({ width, height }: Size): string[] {
  const macroblocks = Math.ceil(width / 16) * Math.ceil(height / 16)
  const level = H264_LEVELS.find((each) => macroblocks <= each.macroblocks) ?? { code: '33' }
  return H264_PROFILES.map((profile) => `avc1.${profile}${level.code}`)
}

const VP9_CODEC = 'vp09.00.40.08'

/** Bits per pixel: 8 Mbit/s at 1080p and 30 pictures per second, as video platforms recommend for uploads. */
const BITS_PER_PIXEL = 0.129

/**
 * Finds the best codec of this browser: H.264, else VP9. Each codec is tested by encoding pictures, because browsers claim to support
 * codecs that they cannot encode.
 *
 * @returns undefined if there is none
 */
export async function findVideoFormat(size: Size): Promise<VideoFormat | undefined> {
  if (typeof VideoEncoder === 'undefined') return undefined
  for (const videoCodec of h264Codecs(size)) if (await canEncode(videoCodec, size)) return { container: 'mp4', videoCodec }
  return (await canEncode(VP9_CODEC, size)) ? { container: 'webm', videoCodec: VP9_CODEC } : undefined
}

async function canEncode(codec: string, size: Size): Promise<boolean> {
  try {
    const canvas = new OffscreenCanvas(size.width, size.height)
    canvas.getContext('2d')?.fillRect(0, 0, size.width, size.height)
    let count = 0
    const encoder = createFrameEncoder({ ...size, codec }, () => {
      count++
    })
    try {
      for (let frame = 0; frame < 2; frame++) await encoder.encode(canvas, frame)
      await encoder.finish()
      return count === 2 && hasProfile(codec, encoder.decoderConfig)
    } finally {
      encoder.close()
    }
  } catch {
    return false
  }
}

/** Whether the encoder used the requested profile: some encoders use another profile without an error. */
function hasProfile(codec: string, decoderConfig: VideoDecoderConfig | undefined): boolean {
  if (!codec.startsWith('avc1')) return decoderConfig !== undefined
  const { description } = decoderConfig ?? {}
  if (description === undefined) return false
  const bytes = ArrayBuffer.isView(description) ? new Uint8Array(description.buffer, description.byteOffset) : new Uint8Array(description)
  return bytes[1] === Number.parseInt(codec.slice(5, 7), 16)
}

export interface EncodingSettings extends Size {
  readonly codec: string
}

export interface FrameEncoder {
  /** Encodes a picture as the picture `frame`; every GOP_FRAMES-th one is a key frame. Resolves when the next one can be encoded. */
  encode(picture: PaintedPicture, frame: number): Promise<void>
  /** Resolves when all pictures have been delivered. @throws the encoder's error */
  finish(): Promise<void>
  /** Undefined until the first picture has been encoded. */
  readonly decoderConfig: VideoDecoderConfig | undefined
  close(): void
}

/** The maximum number of pictures that wait in the encoder, so that painting and encoding overlap. */
const MAX_WAITING = 4

export function createFrameEncoder({ codec, width, height }: EncodingSettings, onFrame: (frame: EncodedFrame) => void): FrameEncoder {
  let failure: unknown
  let decoderConfig: VideoDecoderConfig | undefined
  let wake = () => {}
  const encoder = new VideoEncoder({
    output(chunk, metadata) {
      decoderConfig ??= metadata?.decoderConfig
      const data = new Uint8Array(chunk.byteLength)
      chunk.copyTo(data)
      onFrame({ frame: Math.round((chunk.timestamp * FRAME_RATE) / 1e6), type: chunk.type, data })
      wake()
    },
    error(error) {
      failure = error
      wake()
    },
  })
  encoder.ondequeue = () => wake()
  encoder.configure({
    codec,
    width,
    height,
    framerate: FRAME_RATE,
    bitrate: Math.round(width * height * FRAME_RATE * BITS_PER_PIXEL),
    bitrateMode: 'variable',
    latencyMode: 'quality',
    ...(codec.startsWith('avc1') && { avc: { format: 'avc' } }),
  })
  const throwFailure = () => {
    if (failure !== undefined) throw failure
  }
  return {
    async encode(picture, frame) {
      throwFailure()
      const times = { timestamp: Math.round((frame * 1e6) / FRAME_RATE), duration: Math.round(1e6 / FRAME_RATE) }
      const videoFrame = toVideoFrame(picture, times)
      encoder.encode(videoFrame, { keyFrame: frame % GOP_FRAMES === 0 })
      videoFrame.close()
      while (encoder.encodeQueueSize > MAX_WAITING && failure === undefined)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      throwFailure()
    },
    async finish() {
      await encoder.flush()
      throwFailure()
    },
    get decoderConfig() {
      return decoderConfig
    },
    close() {
      if (encoder.state !== 'closed') encoder.close()
    },
  }
}

function toVideoFrame(picture: PaintedPicture, times: { readonly timestamp: number; readonly duration: number }): VideoFrame {
  if (!('planes' in picture)) return new VideoFrame(picture, times)
  const { width, height, planes } = picture
  return new VideoFrame(planes, { ...times, format: 'I420', codedWidth: width, codedHeight: height, colorSpace: PLANAR_COLOR_SPACE })
}
