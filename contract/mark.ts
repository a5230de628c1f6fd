/** Width and height of the mark's view box. */
export const BRAND_MARK_VIEW_BOX_SIZE = 24

const DISC_RADIUS = 10
/** The x coordinates of the left and right edge of each slice of the disc, relative to its centre. The gaps get wider from left to right. */
const DISC_SLICES = [
  [-10, -4.4],
  [-3.5, 0.7],
  [2.1, 4.9],
  [7, 10],
] as const

/**
 * Returns the brand's mark, a sliced disc, as SVG path data. The gaps between the slices widen to the right for a `rate` up to 1 (slowed music) and to
 * the left for a `rate` above 1.
 */
export function brandMarkPath(rate: number): string {
  const direction = rate > 1 ? -1 : 1
  const center = BRAND_MARK_VIEW_BOX_SIZE / 2
  const svgPoint = (x: number, y: number) => `${Number((center + direction * x).toFixed(2))} ${Number((center + y).toFixed(2))}`
  const halfChord = (x: number) => Math.sqrt(Math.max(0, DISC_RADIUS * DISC_RADIUS - x * x))
  const arc = `A${DISC_RADIUS} ${DISC_RADIUS} 0 0 ${direction > 0 ? 1 : 0} `
  return DISC_SLICES.map(
    ([leftEdge, rightEdge]) =>
      `M${svgPoint(leftEdge, -halfChord(leftEdge))}${arc}${svgPoint(rightEdge, -halfChord(rightEdge))}L${svgPoint(rightEdge, halfChord(rightEdge))}${arc}${svgPoint(leftEdge, halfChord(leftEdge))}Z`,
  ).join('')
}
