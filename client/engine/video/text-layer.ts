import type { Scene } from './frame-painter.ts'
import type { VideoDesign, VideoFont } from './video-design.ts'

/** Returns the design of a video's pictures, with its text drawn. */
export function createScene(design: VideoDesign): Scene {
  const { width, height, overlay, style } = design
  return { width, height, overlay, style, textLayer: createTextLayer(design) }
}

/** Returns what is moved with a scene to a worker. */
export const transferOf = ({ textLayer }: Scene): Transferable[] => (textLayer === undefined ? [] : [textLayer])

/**
 * Draws title and artist in the brand's font, on a shade that keeps the text legible. The layer is drawn on the page, because workers do
 * not have the page's fonts. It is only as high as the text requires, so that drawing it does not block the page.
 * @returns undefined without text
 */
function createTextLayer(design: VideoDesign): ImageBitmap | undefined {
  const title = design.title.trim()
  const artist = design.artist.trim()
  if (title === '' && artist === '') return undefined
  const { width, height, style } = design
  const canvas = new OffscreenCanvas(width, 1)
  const context = canvas.getContext('2d')
  if (context === null) return undefined
  const unit = Math.min(width, height)
  const margin = 0.07 * unit
  // The text is raised in vertical videos, whose lowest part apps cover with their controls.
  const baseY = Math.round(height > width ? 0.78 * height : height - margin)
  const titleSize = fitText(context, style.titleFont, title, 0.085 * unit, width - 2 * margin)
  const artistSize = fitText(context, style.artistFont, artist, 0.036 * unit, width - 2 * margin)

  const top = Math.round(baseY - (artist === '' ? 0 : 1.7 * artistSize) - 2.4 * titleSize)
  // The context is configured again, because setting the height of the canvas has reset it.
  canvas.height = height - top
  context.translate(0, -top)
  const shade = context.createLinearGradient(0, top, 0, baseY)
  shade.addColorStop(0, 'transparent')
  shade.addColorStop(1, style.shade)
  context.globalAlpha = 0.78
  context.fillStyle = shade
  context.fillRect(0, top, width, baseY - top)
  context.fillStyle = style.shade
  context.fillRect(0, baseY, width, height - baseY)
  context.globalAlpha = 1

  context.fillStyle = style.text
  context.textBaseline = 'alphabetic'
  if (artist !== '') drawText(context, style.artistFont, artist, artistSize, margin, baseY)
  if (title !== '') drawText(context, style.titleFont, title, titleSize, margin, baseY - (artist === '' ? 0 : 1.7 * artistSize))
  return canvas.transferToImageBitmap()
}

function setFont(context: OffscreenCanvasRenderingContext2D, { family, weight, stretch }: VideoFont, size: number) {
  context.font = `${weight} ${size}px ${family}`
  // A browser without support for this property uses the font's normal width.
  if ('fontStretch' in context) context.fontStretch = stretch
}

/** Returns the largest size up to `size` at which the text fits the width. */
function fitText(context: OffscreenCanvasRenderingContext2D, font: VideoFont, text: string, size: number, maxWidth: number): number {
  if (text === '') return 0
  setFont(context, font, size)
  return Math.max(size / 3, Math.min(size, (size * maxWidth) / context.measureText(text).width))
}

function drawText(context: OffscreenCanvasRenderingContext2D, font: VideoFont, text: string, size: number, x: number, y: number) {
  setFont(context, font, size)
  context.fillText(text, x, y)
}
