import type { VideoDesign, VideoFont, VideoStyle } from '../../engine/engine.ts'
import { seededRandom } from '../../ui/seeded-random.ts'

/** The keywords of `font-stretch` that a canvas accepts, with their percentages (CSS Fonts 4, section 2.4). */
const STRETCHES: readonly (readonly [percent: number, keyword: VideoFont['stretch']])[] = [
  [50, 'ultra-condensed'],
  [62.5, 'extra-condensed'],
  [75, 'condensed'],
  [87.5, 'semi-condensed'],
  [100, 'normal'],
  [112.5, 'semi-expanded'],
  [125, 'expanded'],
  [150, 'extra-expanded'],
  [200, 'ultra-expanded'],
]

/** Reads the brand's colours and fonts from the page's CSS custom properties. */
export function readVideoStyle(): VideoStyle {
  const tokens = getComputedStyle(document.documentElement)
  const token = (name: string) => tokens.getPropertyValue(`--${name}`).trim()
  const stretch = Number.parseFloat(token('display-wdth')) || 100
  const [, keyword = 'normal'] = STRETCHES.toSorted(([a], [b]) => Math.abs(a - stretch) - Math.abs(b - stretch))[0] ?? []
  return {
    accent: token('accent'),
    secondAccent: token('accent-2'),
    text: token('text'),
    shade: token('surface-0'),
    titleFont: { family: token('font-display') || 'sans-serif', weight: token('display-wght') || '700', stretch: keyword },
    artistFont: { family: getComputedStyle(document.body).fontFamily, weight: '500', stretch: 'normal' },
  }
}

/** Draws a cover in the brand's colours, in the size of the video. The same seed always results in the same drawing. */
export async function drawCover({ width, height }: Pick<VideoDesign, 'width' | 'height'>, seed: string): Promise<Blob> {
  const tokens = getComputedStyle(document.documentElement)
  const art = (number: number) => tokens.getPropertyValue(`--art-${number}`).trim()
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
