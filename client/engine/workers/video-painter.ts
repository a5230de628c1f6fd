import { glidePhase, paintForeground, paintPicture, type Scene, type VisualizerData } from '../video/frame-painter.ts'
import { FRAME_RATE, GLIDE_SECONDS } from '../video/video-timing.ts'
import type { PictureSource } from './picture-source.ts'

/** Paints the pictures of a video one after the other. */
export interface VideoPainter {
  readonly canvas: OffscreenCanvas
  /** The length in seconds of the loop in the background, behind the drawing of the sound; 0 if the background does not move. */
  readonly loopS: number
  /** @param timeS the time in seconds within the loop */
  paint(timeS: number, look: VisualizerData): Promise<void>
}

export function createVideoPainter(scene: Scene, source: PictureSource, isGliding: boolean): VideoPainter {
  const { width, height } = scene
  const canvas = new OffscreenCanvas(width, height)
  const context = canvas.getContext('2d', { alpha: false, desynchronized: false })
  if (context === null) throw new Error('no canvas for the video')
  const loopS = source.durationS > 0 ? source.durationS : isGliding ? GLIDE_SECONDS : 0
  let background: ImageBitmap | undefined

  /** A background that stands still is painted once. */
  async function paintBackground(timeS: number) {
    if (context === null) return
    if (loopS > 0) {
      const glide = source.durationS > 0 ? undefined : glidePhase(timeS)
      await source.withPicture(timeS, (image) => paintPicture(context, scene, image, source, glide))
      return
    }
    if (background === undefined) {
      await source.withPicture(0, (image) => paintPicture(context, scene, image, source))
      background = await createImageBitmap(canvas)
    } else context.drawImage(background, 0, 0)
  }
  return {
    canvas,
    loopS,
    async paint(timeS, look) {
      await paintBackground(loopS > 0 ? timeS % loopS : 0)
      paintForeground(context, scene, look)
    },
  }
}

export const framesToSeconds = (frame: number): number => frame / FRAME_RATE
