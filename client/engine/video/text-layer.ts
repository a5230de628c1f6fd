import type { Scene } from './frame-painter.ts'
import type { VideoDesign, VideoFont } from './video-design.ts'

/** Returns the design of a video's pictures, with its text drawn. */
export function createScene(design: VideoDesign): Scene {
  const { width, height, overlay, style } = design
  return { width, height, overlay, style, textLayer: createTextLayer(design) }
}

/** Returns what is moved with a scene to a worker. */
export const listTransferables = ({ textLayer }: Scene): Transferable[] => (textLayer === undefined ? [] : [textLayer])

/**
 * Draws title and artist in the brand's font, on a shade that keeps the text legible. The layer is drawn on the page, because workers do
 * not have the page's fonts. It is only as high as the text requires, so that drawing it does not block the page.
 * @returns undefined without text
 */
function createTextLayer(design: VideoDesign): ImageBitmap | undefined {
  const titleText = design.title.trim()
  const artistText = design.artist.trim()
  if (titleText === '' && artistText === '') return undefined
  const { width, height, style } = design
  const canvas = new OffscreenCanvas(width, 1)
  const context = canvas.getContext('2d')
  if (context === null) return undefined
  const shorterSidePx = Math.min(width, height)
  const marginPx = 0.07 * shorterSidePx
  // The text is raised in vertical videos, whose lowest part apps cover with their controls.
  const baselineY = Math.round(height > width ? 0.78 * height : height - marginPx)
  const titleSize = fitText(context, style.titleFont, titleText, 0.085 * shorterSidePx, width - 2 * marginPx)
  const artistSize = fitText(context, style.artistFont, artistText, 0.036 * shorterSidePx, width - 2 * marginPx)

  const topPx = Math.round(baselineY - (artistText === '' ? 0 : 1.7 * artistSize) - 2.4 * titleSize)
  // The context is configured again, because setting the height of the canvas has reset it.
  canvas.height = height - topPx
  context.translate(0, -topPx)
  const shadeGradient = context.createLinearGradient(0, topPx, 0, baselineY)
  shadeGradient.addColorStop(0, 'transparent')
  shadeGradient.addColorStop(1, style.shade)
  context.globalAlpha = 0.78
  context.fillStyle = shadeGradient
  context.fillRect(0, topPx, width, baselineY - topPx)
  context.fillStyle = style.shade
  context.fillRect(0, baselineY, width, height - baselineY)
  context.globalAlpha = 1

  context.fillStyle = style.text
  context.textBaseline = 'alphabetic'
  if (artistText !== '') drawText(context, style.artistFont, artistText, artistSize, marginPx, baselineY)
  if (titleText !== '')
    drawText(context, style.titleFont, titleText, titleSize, marginPx, baselineY - (artistText === '' ? 0 : 1.7 * artistSize))
  return canvas.transferToImageBitmap()
}

function setFont(context: OffscreenCanvasRenderingContext2D, { family, weight, stretch }: VideoFont, sizePx: number) {
  context.font = `${weight} ${sizePx}px ${family}`
  // A browser without support for this property uses the font's normal width.
  if ('fontStretch' in context) context.fontStretch = stretch
}

/** Returns the largest size up to `sizePx` at which the text fits the width. */
function fitText(context: OffscreenCanvasRenderingContext2D, font: VideoFont, lineText: string, sizePx: number, maxWidth: number): number {
  if (lineText === '') return 0
  setFont(context, font, sizePx)
  return Math.max(sizePx / 3, Math.min(sizePx, (sizePx * maxWidth) / context.measureText(lineText).width))
}

function drawText(context: OffscreenCanvasRenderingContext2D, font: VideoFont, lineText: string, sizePx: number, x: number, y: number) {
  setFont(context, font, sizePx)
  context.fillText(lineText, x, y)
}
