import { foldText } from '../../contract/fold-text.ts'
import { toSearchableText } from '../../contract/search-text.ts'
import type { Song } from '../../contract/song.ts'
import type { SongSort } from '../../contract/sort-orders.ts'
import { parseVideoId } from '../../contract/youtube.ts'
import { filterByWords } from './filter-by-words.ts'

export type PlaylistSongSort = 'playlist' | SongSort

/** Returns a version of `textOf` that computes the text of each song only once. */
function memoizeText(textOf: (song: Song) => string): (song: Song) => string {
  const textBySong = new WeakMap<Song, string>()
  return (song) => {
    const memoizedText = textBySong.get(song)
    if (memoizedText !== undefined) return memoizedText
    const text = textOf(song)
    textBySong.set(song, text)
    return text
  }
}

const getFoldedText = memoizeText(({ title, author_name }) => foldText(`${title} ${author_name}`))
const getFilteredText = memoizeText(({ title, author_name }) => toSearchableText(title) + toSearchableText(author_name))

const compareTexts = (a: Song, b: Song) => (getFoldedText(a) < getFoldedText(b) ? -1 : getFoldedText(a) > getFoldedText(b) ? 1 : 0)
const compareDates = (a: Song, b: Song) => (a.date_added < b.date_added ? -1 : a.date_added > b.date_added ? 1 : 0)

const comparatorBySort: Record<SongSort, (a: Song, b: Song) => number> = {
  az: compareTexts,
  za: (a, b) => compareTexts(b, a),
  newest: (a, b) => compareDates(b, a),
  oldest: compareDates,
}

function filterSongs(songs: readonly Song[], filterText: string): readonly Song[] {
  const videoId = parseVideoId(filterText)
  const linkedSong = videoId === undefined ? undefined : songs.find((song) => song.youtube_id === videoId)
  return linkedSong ? [linkedSong] : filterByWords(songs, filterText, getFilteredText)
}

/**
 * Returns the songs that match `filterText`, sorted by `sort`. A song matches if its title and author contain every word of `filterText`, or if `filterText`
 * is its link or id. The sort `playlist` keeps the given order.
 */
export function arrangeSongs(songs: readonly Song[], filterText: string, sort: PlaylistSongSort): readonly Song[] {
  const matches = filterSongs(songs, filterText)
  return sort === 'playlist' ? matches : [...matches].sort(comparatorBySort[sort])
}
