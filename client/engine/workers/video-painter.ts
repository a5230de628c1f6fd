import {
  computeGlidePhase,
  computeRingShape,
  paintForeground,
  paintPicture,
  RING_BARS_PER_HALF,
  type Scene,
  SILENT_VISUALIZER_DATA,
  type VisualizerData,
} from '../video/frame-painter.ts'
import { FRAME_RATE, PICTURE_GLIDE_SECONDS } from '../video/video-timing.ts'
import type { PictureSource } from './picture-source.ts'
import { type PlanarPicture, toPlanarPicture } from './planar-picture.ts'
import { createRingPainter } from './ring-painter.ts'

/** A picture of a video, which the next picture may overwrite. */
export type PaintedPicture = OffscreenCanvas | PlanarPicture

/** Paints the pictures of a video one after the other. */
export interface VideoPainter {
  /** The length in seconds of the loop in the background, behind the drawing of the sound; 0 if the background does not move. */
  readonly loopDurationS: number
  /** @param timeS the time in seconds within the loop */
  paint(timeS: number, look: VisualizerData): Promise<PaintedPicture>
}

export function createVideoPainter(scene: Scene, source: PictureSource, isGliding: boolean): VideoPainter {
  const { width, height } = scene
  const canvas = new OffscreenCanvas(width, height)
  const context = canvas.getContext('2d', { alpha: false, desynchronized: false })
  if (context === null) throw new Error('no canvas for the video')
  const loopS = source.durationS > 0 ? source.durationS : isGliding ? PICTURE_GLIDE_SECONDS : 0
  if (loopS === 0 && scene.overlay !== 'wave') return createStillPainter(scene, source, context)
  let backgroundBitmap: ImageBitmap | undefined

  /** A still background is painted only once. */
  async function paintBackground(timeS: number) {
    if (context === null) return
    if (loopS > 0) {
      const glide = source.durationS > 0 ? undefined : computeGlidePhase(timeS)
      await source.withPicture(timeS, (image) => paintPicture(context, scene, image, source, glide))
      return
    }
    if (backgroundBitmap === undefined) {
      await source.withPicture(0, (image) => paintPicture(context, scene, image, source))
      backgroundBitmap = await createImageBitmap(canvas)
    } else context.drawImage(backgroundBitmap, 0, 0)
  }
  return {
    loopDurationS: loopS,
    async paint(timeS, visualizerData) {
      await paintBackground(loopS > 0 ? timeS % loopS : 0)
      paintForeground(context, scene, visualizerData)
      return canvas
    },
  }
}

/**
 * Paints a still picture once, and draws the ring directly into the planes that encoders accept, because drawing on a canvas takes twice the time.
 */
function createStillPainter(scene: Scene, source: PictureSource, context: OffscreenCanvasRenderingContext2D): VideoPainter {
  let paintPlanes: ((look: VisualizerData) => PlanarPicture) | undefined

  async function preparePlanesPainter(): Promise<(look: VisualizerData) => PlanarPicture> {
    await source.withPicture(0, (image) => paintPicture(context, scene, image, source))
    source.dispose()
    paintForeground(context, scene, SILENT_VISUALIZER_DATA)
    const basePlanes = readPlanes(context)
    if (scene.overlay !== 'ring') return () => basePlanes
    context.fillStyle = scene.style.accent
    context.fillRect(0, 0, scene.width, scene.height)
    paintForeground(context, { ...scene, overlay: 'none' }, SILENT_VISUALIZER_DATA)
    const coveredPicture = readPlanes(context)
    // Releases the memory of the canvas, which is not needed any more.
    context.canvas.width = 1
    const ring = createRingPainter(computeRingShape(scene, RING_BARS_PER_HALF), RING_BARS_PER_HALF, basePlanes, coveredPicture)
    return ({ bands }) => ring.paint(bands)
  }
  return {
    loopDurationS: 0,
    async paint(_, visualizerData) {
      paintPlanes ??= await preparePlanesPainter()
      return paintPlanes(visualizerData)
    },
  }
}

const readPlanes = (context: OffscreenCanvasRenderingContext2D): PlanarPicture =>
  toPlanarPicture(context.getImageData(0, 0, context.canvas.width, context.canvas.height))

export const toSeconds = (frame: number): number => frame / FRAME_RATE
