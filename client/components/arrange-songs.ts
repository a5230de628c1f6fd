import { foldText } from '../../contract/fold-text.ts'
import { toSearchableText } from '../../contract/search-text.ts'
import type { Song } from '../../contract/song.ts'
import type { SongSort } from '../../contract/sort-orders.ts'
import { parseVideoId } from '../../contract/youtube.ts'

export type PlaylistSongSort = 'playlist' | SongSort

/** Returns a version of `textOf` that computes the text of each song only once. */
function rememberText(textOf: (song: Song) => string): (song: Song) => string {
  const texts = new WeakMap<Song, string>()
  return (song) => {
    const knownText = texts.get(song)
    if (knownText !== undefined) return knownText
    const text = textOf(song)
    texts.set(song, text)
    return text
  }
}

const foldedTextOf = rememberText(({ title, author_name }) => foldText(`${title} ${author_name}`))
const filteredTextOf = rememberText(({ title, author_name }) => toSearchableText(title) + toSearchableText(author_name))

const byText = (a: Song, b: Song) => (foldedTextOf(a) < foldedTextOf(b) ? -1 : foldedTextOf(a) > foldedTextOf(b) ? 1 : 0)
const byDate = (a: Song, b: Song) => (a.date_added < b.date_added ? -1 : a.date_added > b.date_added ? 1 : 0)

const comparators: Record<SongSort, (a: Song, b: Song) => number> = {
  az: byText,
  za: (a, b) => byText(b, a),
  newest: (a, b) => byDate(b, a),
  oldest: byDate,
}

function filterSongs(songs: readonly Song[], text: string): readonly Song[] {
  const id = parseVideoId(text)
  const linkedSong = id === undefined ? undefined : songs.find((song) => song.youtube_id === id)
  if (linkedSong) return [linkedSong]
  const words = foldText(text).split(' ').filter(Boolean)
  return words.length === 0 ? songs : songs.filter((song) => words.every((word) => filteredTextOf(song).includes(word)))
}

/**
 * Returns the songs that match `text`, sorted by `sort`. A song matches if its title and author contain every word of `text`, or if `text`
 * is its link or id. The sort `playlist` keeps the given order.
 */
export function arrangeSongs(songs: readonly Song[], text: string, sort: PlaylistSongSort): readonly Song[] {
  const matches = filterSongs(songs, text)
  return sort === 'playlist' ? matches : [...matches].sort(comparators[sort])
}
