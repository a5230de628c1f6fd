import { seededRandom } from './seeded-random.ts'

/** A cover that is drawn. The same seed always results in the same drawing. */
export interface DrawnCover {
  readonly width: number
  readonly height: number
  readonly seed: string
  /** The colours of the two sets of rings, of the glow and of the background, as CSS values. */
  readonly colours: readonly [string, string, string, string]
}

export function drawCover({ width, height, seed, colours }: DrawnCover): OffscreenCanvas {
  const [leftRings, rightRings, glowColour, background] = colours
  const canvas = new OffscreenCanvas(width, height)
  const context = canvas.getContext('2d')
  if (context === null) throw new Error('no canvas for the cover')
  const random = seededRandom(seed)
  const unit = Math.min(width, height)
  context.fillStyle = background
  context.fillRect(0, 0, width, height)
  const glow = context.createRadialGradient(width / 2, height / 2, 0, width / 2, height / 2, Math.max(width, height) * 0.62)
  glow.addColorStop(0, glowColour)
  glow.addColorStop(1, background)
  context.globalAlpha = 0.75
  context.fillStyle = glow
  context.fillRect(0, 0, width, height)
  context.globalAlpha = 1
  // Draws two sets of concentric rings. Their crossings form a moiré pattern that looks like a third set.
  for (const [side, colour] of [
    [-1, leftRings],
    [1, rightRings],
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
  return canvas
}
