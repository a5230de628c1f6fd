import type { VideoOverlay, VideoStyle } from './video-design.ts'
import { PICTURE_GLIDE_SECONDS } from './video-timing.ts'

type PaintContext = OffscreenCanvasRenderingContext2D

/** The design of the pictures of a video: their size, and what is drawn over the background. */
export interface Scene {
  readonly width: number
  readonly height: number
  readonly overlay: VideoOverlay
  readonly style: Pick<VideoStyle, 'accent' | 'secondAccent' | 'shade'>
  /** The text at the lower edge, as wide as the video; `undefined` without text. */
  readonly textLayer: ImageBitmap | undefined
}

/** The part of the sound that is drawn over one picture of the video. */
export interface VisualizerData {
  /** Levels of frequency bands from low to high, 0 to 1. */
  readonly bands: ArrayLike<number>
  /** The samples around the time of the picture, -1 to 1. */
  readonly samples: ArrayLike<number>
}

export const SILENT_VISUALIZER_DATA: VisualizerData = { bands: [], samples: [] }

/** The number of bars on each half of the ring. */
export const RING_BARS_PER_HALF = 72

/** How many times as large as the video a gliding (slowly moving) picture is. */
const GLIDE_ZOOM = 1.12
/**
 * The limit of the ratio between the aspect ratios of a picture and the video. Beyond the limit, the whole picture is shown in front of a
 * blurred copy of itself.
 */
const MAX_CROPPED_ASPECT_RATIO = 1.35

interface PictureSize {
  readonly width: number
  readonly height: number
}

/**
 * Paints a picture over the whole video. A picture with about the video's aspect ratio fills the video; another picture is shown whole in
 * front of a blurred copy of itself.
 *
 * @param glidePosition the position within the slow movement of the picture, 0 to 1; `undefined` for a picture that does not move
 */
export function paintPicture(
  context: PaintContext,
  scene: Scene,
  image: CanvasImageSource,
  size: PictureSize,
  glidePosition?: number,
): void {
  const { width, height } = scene
  const aspectRatio = size.width / size.height / (width / height)
  context.fillStyle = scene.style.shade
  context.fillRect(0, 0, width, height)
  context.imageSmoothingEnabled = true
  context.imageSmoothingQuality = 'high'
  const { zoom, x, y } = computeGlideAt(glidePosition)
  context.save()
  context.translate(width / 2 + x * width, height / 2 + y * height)
  context.scale(zoom, zoom)
  if (Math.max(aspectRatio, 1 / aspectRatio) < MAX_CROPPED_ASPECT_RATIO)
    drawCentred(context, image, size, Math.max(width / size.width, height / size.height))
  else {
    const backdrop = createBlurredBackdrop(image, size, width / height)
    drawCentred(context, backdrop, backdrop, Math.max(width / backdrop.width, height / backdrop.height))
    context.globalAlpha = 0.35
    context.fillRect(-width, -height, 2 * width, 2 * height)
    context.globalAlpha = 1
    drawCentred(context, image, size, Math.min(width / size.width, height / size.height) * 0.82)
  }
  context.restore()
}

function drawCentred(context: PaintContext, image: CanvasImageSource, { width, height }: PictureSize, scale: number) {
  context.drawImage(image, (-width * scale) / 2, (-height * scale) / 2, width * scale, height * scale)
}

/** A tiny copy of the picture, which looks blurred when it is enlarged. Canvas filters are not supported by every browser. */
function createBlurredBackdrop(image: CanvasImageSource, size: PictureSize, aspectRatio: number): OffscreenCanvas {
  const smallCanvas = new OffscreenCanvas(
    Math.max(8, Math.round(18 * Math.sqrt(aspectRatio))),
    Math.max(8, Math.round(18 / Math.sqrt(aspectRatio))),
  )
  const context = smallCanvas.getContext('2d')
  if (context === null) return smallCanvas
  context.imageSmoothingQuality = 'high'
  const coverScale = Math.max(smallCanvas.width / size.width, smallCanvas.height / size.height)
  context.translate(smallCanvas.width / 2, smallCanvas.height / 2)
  drawCentred(context, image, size, coverScale)
  return smallCanvas
}

function computeGlideAt(glidePosition: number | undefined) {
  if (glidePosition === undefined) return { zoom: 1, x: 0, y: 0 }
  const angleRadians = 2 * Math.PI * glidePosition
  // The picture never moves further than its margin, the part that extends beyond the video.
  const glideMargin = (GLIDE_ZOOM - 1) / 2
  return {
    zoom: GLIDE_ZOOM - (glideMargin / 2) * (1 + Math.cos(angleRadians)),
    x: (glideMargin / 2) * 0.9 * Math.sin(angleRadians),
    y: (glideMargin / 4) * 0.9 * Math.sin(2 * angleRadians),
  }
}

export const computeGlidePhase = (timeS: number): number => (timeS / PICTURE_GLIDE_SECONDS) % 1

/** Paints the foreground: the drawing that follows the sound, and the text. */
export function paintForeground(context: PaintContext, scene: Scene, visualizerData: VisualizerData): void {
  if (scene.overlay === 'ring') paintRing(context, scene, visualizerData.bands)
  if (scene.overlay === 'wave') paintWave(context, scene, visualizerData.samples)
  if (scene.textLayer) context.drawImage(scene.textLayer, 0, scene.height - scene.textLayer.height)
}

/** The shape of the ring, in pixels of the video. */
export interface RingShape {
  readonly centreX: number
  readonly centreY: number
  /** The distance of the bars' inner ends from the centre. */
  readonly innerRadius: number
  readonly barWidth: number
  readonly longestBar: number
}

/** @param bandCount the number of bars on each half of the ring */
export function computeRingShape({ width, height }: PictureSize, bandCount: number): RingShape {
  const sidePx = 2 * Math.round(0.46 * Math.min(width, height))
  const innerRadius = 0.29 * sidePx
  return {
    centreX: width / 2,
    centreY: height > width ? Math.round(0.42 * height) : height / 2,
    innerRadius,
    barWidth: Math.max(2, (Math.PI * innerRadius) / bandCount / 1.9),
    longestBar: 0.94 * (0.5 * sidePx - innerRadius) + 0.015 * sidePx,
  }
}

/** Returns the length of a bar for a level of 0 to 1. A silent band has a short bar. */
export const computeBarLength = ({ innerRadius, longestBar }: RingShape, bandLevel: number): number => {
  const shortest = (0.015 * innerRadius) / 0.29
  return shortest + (longestBar - shortest) * bandLevel
}

/** Returns the direction of a bar on the right half, in radians from the lowest point of the ring. */
export const computeBarAngle = (band: number, bandCount: number): number => (Math.PI * (band + 0.5)) / bandCount

/** Draws the spectrum as bars around a circle, the same on its left and its right. */
function paintRing(context: PaintContext, scene: Scene, bands: ArrayLike<number>) {
  const shape = computeRingShape(scene, RING_BARS_PER_HALF)
  const { innerRadius } = shape
  context.save()
  context.translate(shape.centreX, shape.centreY)
  context.lineCap = 'round'
  context.lineWidth = shape.barWidth
  context.strokeStyle = scene.style.accent
  context.beginPath()
  for (let bandIndex = 0; bandIndex < bands.length; bandIndex++) {
    const angleRadians = computeBarAngle(bandIndex, bands.length)
    const outerRadius = innerRadius + computeBarLength(shape, bands[bandIndex] ?? 0)
    for (const sideSign of [-1, 1]) {
      const [dx, dy] = [sideSign * Math.sin(angleRadians), Math.cos(angleRadians)]
      context.moveTo(dx * innerRadius, dy * innerRadius)
      context.lineTo(dx * outerRadius, dy * outerRadius)
    }
  }
  context.stroke()
  context.lineWidth = Math.max(2, innerRadius / 75)
  context.strokeStyle = scene.style.secondAccent
  context.beginPath()
  context.arc(0, 0, 0.94 * innerRadius, 0, 2 * Math.PI)
  context.stroke()
  context.restore()
}

/** Draws the samples as a line across the lower third. */
function paintWave(context: PaintContext, scene: Scene, samples: ArrayLike<number>) {
  const { width, height } = scene
  const pointCount = 240
  const middleY = computeWaveMiddle(scene)
  const maxSwingPx = 0.09 * Math.min(width, height)
  context.save()
  context.lineJoin = 'round'
  context.lineWidth = Math.max(2, Math.min(width, height) / 300)
  context.strokeStyle = scene.style.accent
  context.beginPath()
  for (let pointIndex = 0; pointIndex <= pointCount; pointIndex++) {
    const waveSample = samples[Math.floor((pointIndex / pointCount) * (samples.length - 1))] ?? 0
    // The line fades to 0 at both edges.
    const edgeFade = Math.sin((Math.PI * pointIndex) / pointCount)
    const at = [(pointIndex / pointCount) * width, middleY - maxSwingPx * edgeFade * Math.max(-1, Math.min(1, waveSample))] as const
    if (pointIndex === 0) context.moveTo(...at)
    else context.lineTo(...at)
  }
  context.stroke()
  context.restore()
}

/** The height of the line of the waveform, above the text. */
const computeWaveMiddle = ({ width, height }: PictureSize): number => (height > width ? 0.62 * height : 0.66 * height)
