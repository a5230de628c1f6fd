import type { VideoDesign, VideoStyle } from '../../engine/engine.ts'
import { readBrandFont, readBrandTokens, readTextFont } from '../../ui/brand-canvas.ts'
import { seededRandom } from '../../ui/seeded-random.ts'

/** Reads the brand's colours and fonts from the page's CSS custom properties. */
export function readVideoStyle(): VideoStyle {
  const token = readBrandTokens()
  return {
    accent: token('accent'),
    secondAccent: token('accent-2'),
    text: token('text'),
    shade: token('surface-0'),
    titleFont: readBrandFont('display'),
    artistFont: readTextFont('500'),
  }
}

/** Draws a cover in the brand's colours, in the size of the video. The same seed always results in the same drawing. */
export async function drawCover({ width, height }: Pick<VideoDesign, 'width' | 'height'>, seed: string): Promise<Blob> {
  const token = readBrandTokens()
  const art = (number: number) => token(`art-${number}`)
  const canvas = new OffscreenCanvas(width, height)
  const context = canvas.getContext('2d')
  if (context === null) throw new Error('no canvas for the cover')
  const random = seededRandom(seed)
  const unit = Math.min(width, height)
  context.fillStyle = art(4)
  context.fillRect(0, 0, width, height)
  const glow = context.createRadialGradient(width / 2, height / 2, 0, width / 2, height / 2, Math.max(width, height) * 0.62)
  glow.addColorStop(0, art(3))
  glow.addColorStop(1, art(4))
  context.globalAlpha = 0.75
  context.fillStyle = glow
  context.fillRect(0, 0, width, height)
  context.globalAlpha = 1
  // Draws two sets of concentric rings. Their crossings form a moiré pattern that looks like a third set.
  for (const [side, colour] of [
    [-1, art(1)],
    [1, art(2)],
  ] as const) {
    const x = width / 2 + side * (0.04 + 0.1 * random()) * unit
    const y = height / 2 + side * (random() - 0.5) * 0.08 * unit
    const step = (0.017 + 0.006 * random()) * unit
    context.strokeStyle = colour
    context.lineWidth = step * 0.34
    context.globalAlpha = 0.85
    for (let radius = step; radius < Math.max(width, height) * 0.72; radius += step) {
      context.beginPath()
      context.arc(x, y, radius, 0, 2 * Math.PI)
      context.stroke()
    }
  }
  return canvas.convertToBlob({ type: 'image/png' })
}
