/** `large` takes 2 x 2 cells of the grid, `wide` 2 x 1. */
export type ShowcaseSize = 'small' | 'wide' | 'large'

/**
 * How large the card at `index` of `count` is, in a grid of four columns that is filled densely. The first is large, and
 * others grow as it takes to leave no gap in the last row: a large card takes three cells more, a wide one one.
 */
export function showcaseSize(index: number, count: number): ShowcaseSize {
  if (count < 5) return 'small'
  if (index === 0) return 'large'
  const over = count % 4
  if (over === 2 && count >= 10 && index === 5) return 'large'
  if (over === 0 && index === count - 1) return 'wide'
  if (over === 3 && (index === count - 1 || index === 5)) return 'wide'
  return 'small'
}
