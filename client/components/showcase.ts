/** Size of a card in grid cells: `small` 1 × 1, `wide` 2 × 1, `large` 2 × 2. */
export type ShowcaseCardSize = 'small' | 'wide' | 'large'

/**
 * Returns the size of the card at `cardIndex` of `playlistCount` in a dense grid of four columns. The first card is large, and further
 * cards are enlarged so that the last row has no gap: a large card takes three more cells than a small one, a wide card one more.
 */
export function chooseCardSize(cardIndex: number, playlistCount: number): ShowcaseCardSize {
  if (playlistCount < 5) return 'small'
  if (cardIndex === 0) return 'large'
  const lastRowPlaylistCount = playlistCount % 4
  if (lastRowPlaylistCount === 2 && playlistCount >= 10 && cardIndex === 5) return 'large'
  if (lastRowPlaylistCount === 0 && cardIndex === playlistCount - 1) return 'wide'
  if (lastRowPlaylistCount === 3 && (cardIndex === playlistCount - 1 || cardIndex === 5)) return 'wide'
  return 'small'
}
