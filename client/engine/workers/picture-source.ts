import { ALL_FORMATS, BlobSource, Input, type VideoSample, VideoSampleSink } from 'mediabunny'
import { type DrawnCover, drawCover } from '../../primitives/drawn-cover.ts'
import type { VideoPicture } from '../video/video-design.ts'

/** A picture, an animation or a clip. Its pictures are decoded when they are needed. */
export interface PictureSource {
  readonly width: number
  readonly height: number
  /** The length of one repetition in seconds; 0 for a picture that does not move. */
  readonly durationS: number
  /**
   * Passes the picture at a time of the loop to `use`, which must not keep a reference to it. Times must be requested in ascending order; a
   * smaller time starts the loop again.
   */
  withPicture<T>(timeS: number, use: (image: CanvasImageSource) => T): Promise<T>
  dispose(): void
}

/** The number of pixels of the largest picture that is decoded at its full size. */
const MAX_PIXELS = 40_000_000

/** @returns undefined if the browser cannot decode the file */
export async function openPictureSource(picture: VideoPicture): Promise<PictureSource | undefined> {
  if (!(picture instanceof Blob)) return openDrawnCover(picture)
  return (await openAnimation(picture)) ?? (await openStillPicture(picture)) ?? (await openClip(picture))
}

function openDrawnCover(cover: DrawnCover): PictureSource {
  const coverCanvas = drawCover(cover)
  return {
    width: cover.width,
    height: cover.height,
    durationS: 0,
    withPicture: async (_, use) => use(coverCanvas),
    dispose() {},
  }
}

async function openStillPicture(blob: Blob): Promise<PictureSource | undefined> {
  try {
    let bitmap = await createImageBitmap(blob)
    if (bitmap.width * bitmap.height > MAX_PIXELS) {
      const sizeRatio = Math.sqrt(MAX_PIXELS / (bitmap.width * bitmap.height))
      const largeBitmap = bitmap
      bitmap = await createImageBitmap(largeBitmap, {
        resizeWidth: Math.round(largeBitmap.width * sizeRatio),
        resizeHeight: Math.round(largeBitmap.height * sizeRatio),
        resizeQuality: 'high',
      })
      largeBitmap.close()
    }
    return {
      width: bitmap.width,
      height: bitmap.height,
      durationS: 0,
      withPicture: async (_, use) => use(bitmap),
      dispose: () => bitmap.close(),
    }
  } catch {
    return undefined
  }
}

/** The minimum time in seconds for which each picture of an animation is shown, as in browsers, even if the file states a shorter time. */
const MIN_PICTURE_DURATION_S = 0.02
const DEFAULT_PICTURE_DURATION_S = 0.1

/** Opens a GIF, or an animation in another picture format. @returns undefined for pictures that do not move, and without `ImageDecoder` */
async function openAnimation(blob: Blob): Promise<PictureSource | undefined> {
  if (typeof ImageDecoder === 'undefined' || !blob.type.startsWith('image/')) return undefined
  if (!(await ImageDecoder.isTypeSupported(blob.type).catch(() => false))) return undefined
  const imageDecoder = new ImageDecoder({ data: blob.stream(), type: blob.type })
  try {
    await imageDecoder.completed
    const frameCount = imageDecoder.tracks.selectedTrack?.frameCount ?? 1
    if (frameCount < 2) {
      imageDecoder.close()
      return undefined
    }
    const frameEndsS: number[] = []
    let pictureSize = { width: 0, height: 0 }
    for (let frameIndex = 0; frameIndex < frameCount; frameIndex++) {
      const { image } = await imageDecoder.decode({ frameIndex })
      pictureSize = { width: image.displayWidth, height: image.displayHeight }
      const shownS = (image.duration ?? 0) / 1e6
      frameEndsS.push((frameEndsS.at(-1) ?? 0) + (shownS < MIN_PICTURE_DURATION_S ? DEFAULT_PICTURE_DURATION_S : shownS))
      image.close()
    }
    let currentPicture: { readonly index: number; readonly image: VideoFrame } | undefined
    return {
      ...pictureSize,
      durationS: frameEndsS.at(-1) ?? 0,
      async withPicture(timeS, handlePicture) {
        const foundIndex = frameEndsS.findIndex((endS) => timeS < endS)
        const pictureIndex = foundIndex < 0 ? frameCount - 1 : foundIndex
        if (currentPicture?.index !== pictureIndex) {
          currentPicture?.image.close()
          currentPicture = { index: pictureIndex, image: (await imageDecoder.decode({ frameIndex: pictureIndex })).image }
        }
        return handlePicture(currentPicture.image)
      },
      dispose() {
        currentPicture?.image.close()
        imageDecoder.close()
      },
    }
  } catch {
    imageDecoder.close()
    return undefined
  }
}

async function openClip(blob: Blob): Promise<PictureSource | undefined> {
  const input = new Input({ source: new BlobSource(blob), formats: ALL_FORMATS })
  const clip = await readClip(input).catch(() => undefined)
  if (clip === undefined) input.dispose()
  return clip
}

/** @returns undefined if the file has no pictures that the browser can decode. In that case the caller must dispose the input. */
async function readClip(input: Input): Promise<PictureSource | undefined> {
  const videoTrack = await input.getPrimaryVideoTrack()
  if (videoTrack === null || !(await videoTrack.canDecode())) return undefined
  const startS = await videoTrack.getFirstTimestamp()
  const durationS = (await videoTrack.computeDuration()) - startS
  if (!(durationS > 0)) return undefined
  const sampleSink = new VideoSampleSink(videoTrack)
  const firstPicture = await sampleSink.getSample(startS)
  if (firstPicture === null) return undefined
  const { displayWidth: width, displayHeight: height } = firstPicture
  // The frame of the clip is drawn upright and at its own size to a canvas, which is then drawn into the video.
  const canvas = new OffscreenCanvas(width, height)
  const context = canvas.getContext('2d')
  try {
    if (context === null) return undefined
    firstPicture.draw(context, 0, 0)
  } finally {
    firstPicture.close()
  }
  let samples = sampleSink.samples(startS)
  let upcomingPicture: VideoSample | undefined
  let lastRequestedTimeS = 0

  async function advanceTo(timeS: number) {
    if (timeS < lastRequestedTimeS) {
      await samples.return()
      upcomingPicture?.close()
      upcomingPicture = undefined
      samples = sampleSink.samples(startS)
    }
    lastRequestedTimeS = timeS
    while (upcomingPicture === undefined || upcomingPicture.timestamp - startS <= timeS) {
      if (upcomingPicture !== undefined && context !== null) {
        upcomingPicture.draw(context, 0, 0, width, height)
        upcomingPicture.close()
      }
      const { value, done } = await samples.next()
      upcomingPicture = done === true ? undefined : value
      if (upcomingPicture === undefined) return
    }
  }
  return {
    width,
    height,
    durationS,
    async withPicture(timeS, handlePicture) {
      await advanceTo(timeS)
      return handlePicture(canvas)
    },
    dispose() {
      upcomingPicture?.close()
      samples.return().catch(() => {})
      input.dispose()
    },
  }
}
