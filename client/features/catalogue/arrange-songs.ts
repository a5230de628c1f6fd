import { foldText } from '../../../contract/search-text.ts'
import type { Song } from '../../../contract/song.ts'
import type { SongSort } from '../../../contract/sort-orders.ts'

export type PlaylistSongSort = 'playlist' | SongSort

const foldedTexts = new WeakMap<Song, string>()

/** Returns the folded title and author, which are computed once for each song. */
function foldedTextOf(song: Song): string {
  const knownText = foldedTexts.get(song)
  if (knownText !== undefined) return knownText
  const text = foldText(`${song.title} ${song.author_name}`)
  foldedTexts.set(song, text)
  return text
}

const byText = (a: Song, b: Song) => (foldedTextOf(a) < foldedTextOf(b) ? -1 : foldedTextOf(a) > foldedTextOf(b) ? 1 : 0)
const byDate = (a: Song, b: Song) => (a.date_added < b.date_added ? -1 : a.date_added > b.date_added ? 1 : 0)

const comparators: Record<SongSort, (a: Song, b: Song) => number> = {
  az: byText,
  za: (a, b) => byText(b, a),
  newest: (a, b) => byDate(b, a),
  oldest: byDate,
}

/**
 * Returns the songs whose title or author contain every word of `text`, sorted by `sort`; `playlist` leaves the songs in the given order.
 */
export function arrangeSongs(songs: readonly Song[], text: string, sort: PlaylistSongSort): readonly Song[] {
  const words = foldText(text).split(' ').filter(Boolean)
  const matches = words.length === 0 ? songs : songs.filter((song) => words.every((word) => foldedTextOf(song).includes(word)))
  return sort === 'playlist' ? matches : [...matches].sort(comparators[sort])
}
