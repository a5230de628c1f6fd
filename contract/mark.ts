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
 * Returns the brand's mark, a sliced disc, as SVG path data. The gaps between the slices widen to the right for a `speedRate` up to 1 (slowed music) and to
 * the left for a `speedRate` above 1.
 */
export function drawBrandMarkPath(speedRate: number): string {
  const directionSign = speedRate > 1 ? -1 : 1
  const centerPx = BRAND_MARK_VIEW_BOX_SIZE / 2
  const formatSvgPoint = (x: number, y: number) =>
    `${Number((centerPx + directionSign * x).toFixed(2))} ${Number((centerPx + y).toFixed(2))}`
  const computeHalfChord = (x: number) => Math.sqrt(Math.max(0, DISC_RADIUS * DISC_RADIUS - x * x))
  const arcCommand = `A${DISC_RADIUS} ${DISC_RADIUS} 0 0 ${directionSign > 0 ? 1 : 0} `
  return DISC_SLICES.map(
    ([leftEdge, rightEdge]) =>
      `M${formatSvgPoint(leftEdge, -computeHalfChord(leftEdge))}${arcCommand}${formatSvgPoint(rightEdge, -computeHalfChord(rightEdge))}L${formatSvgPoint(rightEdge, computeHalfChord(rightEdge))}${arcCommand}${formatSvgPoint(leftEdge, computeHalfChord(leftEdge))}Z`,
  ).join('')
}
