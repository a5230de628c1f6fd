/** The mark is drawn in a square of this many units. */
export const MARK_SIZE = 24

const RADIUS = 10
/** Where the slices of the disc begin and end, from its middle: each slice is narrower and each gap wider than the one before. */
const SLICES = [
  [-10, -4.4],
  [-3.5, 0.7],
  [2.1, 4.9],
  [7, 10],
] as const

/**
 * The brand's mark as an SVG path: a disc under varispeed. Its gaps open to the right where the brand slows music down
 * (`rate` under 1) and close to the right where it speeds music up.
 */
export function markPath(rate: number): string {
  const direction = rate > 1 ? -1 : 1
  const middle = MARK_SIZE / 2
  const at = (x: number, y: number) => `${Number((middle + direction * x).toFixed(2))} ${Number((middle + y).toFixed(2))}`
  const half = (x: number) => Math.sqrt(Math.max(0, RADIUS * RADIUS - x * x))
  const arc = `A${RADIUS} ${RADIUS} 0 0 ${direction > 0 ? 1 : 0} `
  return SLICES.map(
    ([from, to]) => `M${at(from, -half(from))}${arc}${at(to, -half(to))}L${at(to, half(to))}${arc}${at(from, half(from))}Z`,
  ).join('')
}
