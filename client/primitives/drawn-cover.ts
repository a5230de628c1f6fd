import { createSeededRandom } from './seeded-random.ts'

/** A cover that is drawn. The same seed always results in the same drawing. */
export interface DrawnCover {
  readonly width: number
  readonly height: number
  readonly seed: string
  /** The colours of the two sets of rings, of the glow and of the background, as CSS values. */
  readonly colours: readonly [string, string, string, string]
}

export function drawCover({ width, height, seed, colours }: DrawnCover): OffscreenCanvas {
  const [leftRings, rightRings, glowColour, backgroundColour] = colours
  const canvas = new OffscreenCanvas(width, height)
  const context = canvas.getContext('2d')
  if (context === null) throw new Error('no canvas for the cover')
  const nextRandom = createSeededRandom(seed)
  const unitPx = Math.min(width, height)
  context.fillStyle = backgroundColour
  context.fillRect(0, 0, width, height)
  const glowGradient = context.createRadialGradient(width / 2, height / 2, 0, width / 2, height / 2, Math.max(width, height) * 0.62)
  glowGradient.addColorStop(0, glowColour)
  glowGradient.addColorStop(1, backgroundColour)
  context.globalAlpha = 0.75
  context.fillStyle = glowGradient
  context.fillRect(0, 0, width, height)
  context.globalAlpha = 1
  // Draws two sets of concentric rings. Their crossings form a moiré pattern that looks like a third set.
  for (const [sideSign, colour] of [
    [-1, leftRings],
    [1, rightRings],
  ] as const) {
    const x = width / 2 + sideSign * (0.04 + 0.1 * nextRandom()) * unitPx
    const y = height / 2 + sideSign * (nextRandom() - 0.5) * 0.08 * unitPx
    const stepPx = (0.017 + 0.006 * nextRandom()) * unitPx
    context.strokeStyle = colour
    context.lineWidth = stepPx * 0.34
    context.globalAlpha = 0.85
    for (let radiusPx = stepPx; radiusPx < Math.max(width, height) * 0.72; radiusPx += stepPx) {
      context.beginPath()
      context.arc(x, y, radiusPx, 0, 2 * Math.PI)
      context.stroke()
    }
  }
  return canvas
}
