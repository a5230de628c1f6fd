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

interface FrameSize {
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

function listH264Codecs({ width, height }: FrameSize): string[] {
  const macroblocks = Math.ceil(width / 16) * Math.ceil(height / 16)
  const level = H264_LEVELS.find((each) => macroblocks <= each.macroblocks) ?? { code: '33' }
  return H264_PROFILES.map((profile) => `avc1.${profile}${level.code}`)
}

const VP9_CODEC = 'vp09.00.40.08'

/** Bits per pixel: 8 Mbit/s at 1080p and 30 pictures per second, as video platforms recommend for uploads. */
const BITS_PER_PIXEL = 0.129

/**
 * Finds the best codec of this browser: H.264, else VP9. Each codec is tested by encoding pictures, because browsers claim to support
 * codecs that they cannot encode. Codecs that store pictures in another order than they are shown are not used, because the file then
 * needs composition offsets, with which the first picture is late unless there is an edit list.
 *
 * @returns undefined if there is none
 */
export async function findVideoFormat(size: FrameSize): Promise<VideoFormat | undefined> {
  if (typeof VideoEncoder === 'undefined') return undefined
  for (const [containerName, codecNames] of [
    ['mp4', listH264Codecs(size)],
    ['webm', [VP9_CODEC]],
  ] as const)
    for (const codec of codecNames)
      for (const latencyMode of ['quality', 'realtime'] as const)
        if (await canEncode({ ...size, codec, latencyMode })) return { container: containerName, videoCodec: codec, latencyMode }
  return undefined
}

/** The number of pictures in the test. It is large enough that an encoder that reorders pictures does so in the test. */
const TESTED_FRAMES = 6

async function canEncode(settings: EncodingSettings): Promise<boolean> {
  try {
    const { width, height, codec } = settings
    const canvas = new OffscreenCanvas(width, height)
    canvas.getContext('2d')?.fillRect(0, 0, width, height)
    const encodedFrameNumbers: number[] = []
    const frameEncoder = createFrameEncoder({ width, height, codec, latencyMode: settings.latencyMode }, ({ frame }) =>
      encodedFrameNumbers.push(frame),
    )
    try {
      for (let frame = 0; frame < TESTED_FRAMES; frame++) await frameEncoder.encode(canvas, frame)
      await frameEncoder.finish()
      const areInOrder = encodedFrameNumbers.length === TESTED_FRAMES && encodedFrameNumbers.every((frame, index) => frame === index)
      return areInOrder && hasAvcProfile(codec, frameEncoder.decoderConfig)
    } finally {
      frameEncoder.close()
    }
  } catch {
    return false
  }
}

/** Whether the encoder used the requested profile: some encoders use another profile without an error. */
function hasAvcProfile(codecString: string, decoderConfig: VideoDecoderConfig | undefined): boolean {
  if (!codecString.startsWith('avc1')) return decoderConfig !== undefined
  return toBytes(decoderConfig?.description)[1] === Number.parseInt(codecString.slice(5, 7), 16)
}

function toBytes(bufferSource: AllowSharedBufferSource | undefined): Uint8Array {
  if (bufferSource === undefined) return new Uint8Array()
  return ArrayBuffer.isView(bufferSource)
    ? new Uint8Array(bufferSource.buffer, bufferSource.byteOffset, bufferSource.byteLength)
    : new Uint8Array(bufferSource)
}

const PARAMETER_SET_TYPES = { sequence: 7, picture: 8 }

/**
 * Returns an AVCDecoderConfigurationRecord (ISO/IEC 14496-15, 5.3.3.1) without the mistakes of Firefox, which writes the first byte of each
 * parameter set twice and leaves reserved bits at 0. Any other record is returned unchanged.
 */
export function repairAvcRecord(recordBytes: Uint8Array): Uint8Array {
  const view = new DataView(recordBytes.buffer, recordBytes.byteOffset, recordBytes.byteLength)
  const headBytes = [...recordBytes.subarray(0, 4), 0xfc | (recordBytes[4] ?? 0), 0xe0 | (recordBytes[5] ?? 0)]
  const repairedRecord = [...headBytes]
  let readOffset = headBytes.length
  let hasRecordMistake = false
  const copyParameterSets = (parameterSetCount: number, nalUnitType: number) => {
    for (let parameterSetIndex = 0; parameterSetIndex < parameterSetCount; parameterSetIndex++) {
      const parameterSetBytes = view.getUint16(readOffset)
      const parameterSetContent = recordBytes.subarray(readOffset + 2, readOffset + 2 + parameterSetBytes)
      // The second byte of a sequence parameter set is a profile, which is never equal to the first byte.
      if (nalUnitType === PARAMETER_SET_TYPES.sequence && parameterSetContent[0] === parameterSetContent[1]) hasRecordMistake = true
      const repairedBytes =
        hasRecordMistake && parameterSetContent[0] === parameterSetContent[1] ? parameterSetContent.subarray(1) : parameterSetContent
      repairedRecord.push(repairedBytes.length >> 8, repairedBytes.length & 0xff, ...repairedBytes)
      readOffset += 2 + parameterSetBytes
    }
  }
  copyParameterSets((recordBytes[5] ?? 0) & 0x1f, PARAMETER_SET_TYPES.sequence)
  const pictureParameterSetCount = recordBytes[readOffset] ?? 0
  repairedRecord.push(pictureParameterSetCount)
  readOffset++
  copyParameterSets(pictureParameterSetCount, PARAMETER_SET_TYPES.picture)
  return hasRecordMistake ? Uint8Array.from([...repairedRecord, ...recordBytes.subarray(readOffset)]) : recordBytes
}

export interface EncodingSettings extends FrameSize {
  readonly codec: string
  readonly latencyMode: LatencyMode
}

export interface FrameEncoder {
  /**
   * Encodes a picture with the index `frame`; every GOP_FRAMES-th picture is a key frame. Resolves when the next picture can be encoded.
   */
  encode(picture: PaintedPicture, frame: number): Promise<void>
  /** Resolves when all pictures have been delivered. @throws the encoder's error */
  finish(): Promise<void>
  /** Undefined until the first picture has been encoded. */
  readonly decoderConfig: VideoDecoderConfig | undefined
  close(): void
}

/** The maximum number of pictures that wait in the encoder, so that painting and encoding overlap. */
const MAX_WAITING_PICTURES = 2

export function createFrameEncoder(
  { codec, width, height, latencyMode }: EncodingSettings,
  onFrame: (frame: EncodedFrame) => void,
): FrameEncoder {
  let encoderError: unknown
  let decoderConfig: VideoDecoderConfig | undefined
  let wakeWaiter = () => {}
  const encoder = new VideoEncoder({
    output(chunk, metadata) {
      decoderConfig ??= metadata?.decoderConfig && repairConfig(metadata.decoderConfig)
      const chunkData = new Uint8Array(chunk.byteLength)
      chunk.copyTo(chunkData)
      onFrame({ frame: Math.round((chunk.timestamp * FRAME_RATE) / 1e6), type: chunk.type, data: chunkData })
      wakeWaiter()
    },
    error(error) {
      encoderError = error
      wakeWaiter()
    },
  })
  encoder.ondequeue = () => wakeWaiter()
  encoder.configure({
    codec,
    width,
    height,
    framerate: FRAME_RATE,
    bitrate: Math.round(width * height * FRAME_RATE * BITS_PER_PIXEL),
    bitrateMode: 'variable',
    latencyMode,
    ...(codec.startsWith('avc1') && { avc: { format: 'avc' } }),
  })
  const throwFailure = () => {
    if (encoderError !== undefined) throw encoderError
  }
  return {
    async encode(picture, frameIndex) {
      throwFailure()
      const frameTimesUs = { timestamp: Math.round((frameIndex * 1e6) / FRAME_RATE), duration: Math.round(1e6 / FRAME_RATE) }
      const videoFrame = toVideoFrame(picture, frameTimesUs)
      encoder.encode(videoFrame, { keyFrame: frameIndex % GOP_FRAMES === 0 })
      videoFrame.close()
      while (encoder.encodeQueueSize > MAX_WAITING_PICTURES && encoderError === undefined)
        await new Promise<void>((resolve) => {
          wakeWaiter = resolve
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

function repairConfig(config: VideoDecoderConfig): VideoDecoderConfig {
  if (!config.codec.startsWith('avc1') || config.description === undefined) return config
  return { ...config, description: repairAvcRecord(toBytes(config.description)) }
}

function toVideoFrame(picture: PaintedPicture, frameTimesUs: { readonly timestamp: number; readonly duration: number }): VideoFrame {
  if (!('planes' in picture)) return new VideoFrame(picture, frameTimesUs)
  const { width, height, planes } = picture
  return new VideoFrame(planes, { ...frameTimesUs, format: 'I420', codedWidth: width, codedHeight: height, colorSpace: PLANAR_COLOR_SPACE })
}
