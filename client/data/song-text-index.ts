import { foldText } from '../../contract/fold-text.ts'
import { foldWithSpellings, matchesTerms, toSearchTerms } from '../../contract/search-text.ts'
import type { Song } from '../../contract/song.ts'
import { NO_CATEGORY_ID } from '../../contract/song-rules.ts'
import type { SongSort } from '../../contract/sort-orders.ts'
import type { Artist } from '../../contract/suggestions.ts'
import { parseVideoId } from '../../contract/youtube.ts'
import { orderSuggestions } from './match-text.ts'

export interface SearchQuery {
  /** The search text, which is not empty. */
  text: string
  /** Whether the search text must match the author. Otherwise it may match the title or the author. */
  artist: boolean
  sort: SongSort
}

/** The fields of a song that a suggestion shows. */
export type SuggestedSong = Pick<Song, 'youtube_id' | 'title' | 'author_name' | 'category_id'>

interface SongIndexEntry {
  id: string
  title: string
  author: string
  categoryId: string
  dateAdded: string
  titleFolded: string
  /** The texts that are searched, as returned by `toSearchableText`: one of title and author together, and one of the author alone. */
  text: string
  authorText: string
  authorFolded: string
}

/** Compares entries in the server's order by title: folded title, then title, then id, each by code units. */
function compareTitles(a: SongIndexEntry, b: SongIndexEntry): number {
  return compareCodeUnits(a.titleFolded, b.titleFolded) || compareCodeUnits(a.title, b.title) || compareCodeUnits(a.id, b.id)
}
const compareCodeUnits = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

function toEntry(song: Song): SongIndexEntry {
  const foldedTitle = foldWithSpellings(song.title)
  const foldedAuthor = foldWithSpellings(song.author_name)
  const authorText = ` ${foldedAuthor.folded} ${foldedAuthor.spellings}`
  return {
    id: song.youtube_id,
    title: song.title,
    author: song.author_name,
    categoryId: song.category_id,
    dateAdded: song.date_added,
    titleFolded: foldedTitle.folded,
    text: ` ${foldedTitle.folded} ${foldedTitle.spellings}${authorText}`,
    authorText,
    authorFolded: foldedAuthor.folded,
  }
}

const toSuggestedSong = ({ id, title, author, categoryId }: SongIndexEntry): SuggestedSong => ({
  youtube_id: id,
  title,
  author_name: author,
  category_id: categoryId,
})

/**
 * Returns the ids of the entries after the song `songId`, followed by the ids of the entries before the song; all ids if the song has no entry.
 */
function listIdsAfter(songId: string, songEntries: readonly SongIndexEntry[]): string[] {
  const ids = songEntries.map((entry) => entry.id)
  const index = ids.indexOf(songId)
  return index < 0 ? ids : [...ids.slice(index + 1), ...ids.slice(0, index)]
}

export interface RelatedSongsQuery {
  limit: number
  /** The maximum number of songs that are suggested because of their artist; `limit` by default. */
  artistLimit?: number
  excludedIds?: readonly string[]
}

/** Maximum number of entries that are inserted one by one; more entries are sorted and merged. */
const SINGLE_INSERTS_MAX = 64

/** The indexed songs in order of title, so that a search does not have to sort. */
class OrderedEntries {
  entries: SongIndexEntry[] = []
  readonly #compare: (a: SongIndexEntry, b: SongIndexEntry) => number

  constructor(compareEntries: (a: SongIndexEntry, b: SongIndexEntry) => number) {
    this.#compare = compareEntries
  }

  add(newEntries: readonly SongIndexEntry[]) {
    if (newEntries.length > SINGLE_INSERTS_MAX) this.#merge([...newEntries].sort(this.#compare))
    else for (const entry of newEntries) this.entries.splice(this.#insertionIndex(entry), 0, entry)
  }

  /** Returns the index of the first entry whose folded title is at least `titleFolded`. The entries must be in order of title. */
  firstIndexOf(titleFolded: string): number {
    return this.#firstIndex((entry) => entry.titleFolded >= titleFolded)
  }

  #insertionIndex = (entry: SongIndexEntry) => this.#firstIndex((other) => this.#compare(other, entry) >= 0)

  /**
   * Returns the index of the first entry for which `isReachedEntry` is true, by binary search: `isReachedEntry` must be false for all entries before
   * it and true for all after it.
   */
  #firstIndex(isReachedEntry: (entry: SongIndexEntry) => boolean): number {
    let lowIndex = 0
    let highIndex = this.entries.length
    while (lowIndex < highIndex) {
      const middleIndex = (lowIndex + highIndex) >> 1
      const middleEntry = this.entries[middleIndex]
      if (middleEntry && !isReachedEntry(middleEntry)) lowIndex = middleIndex + 1
      else highIndex = middleIndex
    }
    return lowIndex
  }

  #merge(newEntries: readonly SongIndexEntry[]) {
    const mergedEntries: SongIndexEntry[] = []
    let nextIndex = 0
    for (const songEntry of this.entries) {
      for (
        let middleEntry = newEntries[nextIndex];
        middleEntry && this.#compare(middleEntry, songEntry) < 0;
        middleEntry = newEntries[++nextIndex]
      )
        mergedEntries.push(middleEntry)
      mergedEntries.push(songEntry)
    }
    this.entries = mergedEntries.concat(newEntries.slice(nextIndex))
  }
}

/** In-memory search index of the songs on this device, for tens of thousands of songs. */
export class SongTextIndex {
  readonly #ids = new Set<string>()
  readonly #titles = new OrderedEntries(compareTitles)
  readonly #dates = new OrderedEntries((a, b) => compareCodeUnits(a.dateAdded, b.dateAdded) || compareTitles(a, b))

  /** The artists by folded name. `text` is the form of the name in which search terms are found (`toSearchableText`). */
  readonly #artists = new Map<string, Artist & { text: string }>()

  get size() {
    return this.#ids.size
  }

  put(songs: readonly Song[]) {
    const addedEntries = songs.map(toEntry)
    this.remove(addedEntries.map((entry) => entry.id))
    for (const entry of addedEntries) this.#ids.add(entry.id)
    this.#titles.add(addedEntries)
    this.#dates.add(addedEntries)
    for (const entry of addedEntries) this.#countSong(entry, 1)
  }

  remove(songIds: readonly string[]) {
    const removedSongIds = new Set(songIds.filter((id) => this.#ids.delete(id)))
    if (removedSongIds.size === 0) return
    for (const entry of this.#titles.entries) if (removedSongIds.has(entry.id)) this.#countSong(entry, -1)
    for (const orderedEntries of [this.#titles, this.#dates])
      orderedEntries.entries = orderedEntries.entries.filter((entry) => !removedSongIds.has(entry.id))
  }

  /** Returns the ids of the indexed songs that match `query`, in the order of the server's search results. */
  search({ text, artist: isArtistSearch, sort }: SearchQuery): string[] {
    const foldedText = foldText(text)
    if (foldedText === '') return []
    const linkedSong = isArtistSearch ? undefined : this.#findLinked(text)
    if (linkedSong) return [linkedSong.id]
    const terms = toSearchTerms(foldedText)
    const { entries } = sort === 'az' || sort === 'za' ? this.#titles : this.#dates
    const exactMatchIds: string[] = []
    const otherMatchIds: string[] = []
    for (const entry of entries) {
      const searchedText = isArtistSearch ? entry.authorText : entry.text
      if (matchesTerms(searchedText, terms))
        (isArtistSearch && entry.authorFolded === foldedText ? exactMatchIds : otherMatchIds).push(entry.id)
    }
    const isAscending = sort === 'az' || sort === 'oldest'
    return isAscending ? exactMatchIds.concat(otherMatchIds) : exactMatchIds.reverse().concat(otherMatchIds.reverse())
  }

  /**
   * Returns up to `suggestionLimit` songs and artists that match `typedText`, as the server suggests them: titles and names that begin with the text first, then
   * the others, each in order of title or name.
   */
  suggest(typedText: string, suggestionLimit: number): { songs: SuggestedSong[]; artists: Artist[] } {
    const foldedText = foldText(typedText)
    if (foldedText === '') return { songs: [], artists: [] }
    const linkedSong = this.#findLinked(typedText)
    if (linkedSong) return { songs: [toSuggestedSong(linkedSong)], artists: [] }
    const terms = toSearchTerms(foldedText)
    const { entries } = this.#titles
    const songs: SuggestedSong[] = []
    for (let index = this.#titles.firstIndexOf(foldedText); songs.length < suggestionLimit; index++) {
      const entry = entries[index]
      if (!entry?.titleFolded.startsWith(foldedText)) break
      songs.push(toSuggestedSong(entry))
    }
    for (const entry of entries) {
      if (songs.length >= suggestionLimit) break
      if (!entry.titleFolded.startsWith(foldedText) && matchesTerms(entry.text, terms)) songs.push(toSuggestedSong(entry))
    }
    const artists = orderSuggestions(this.#artists.values(), ({ text }) => text, foldedText, suggestionLimit)
    return { songs, artists: artists.map(({ name, song_count }) => ({ name, song_count })) }
  }

  /** Returns the ids of indexed songs that are related to `song`, in the order in which the server lists related songs. */
  related(song: Song, { limit, artistLimit = limit, excludedIds = [] }: RelatedSongsQuery): string[] {
    const skippedSongIds = new Set(excludedIds)
    const { authorFolded, categoryId } = toEntry(song)
    const sameArtistEntries = authorFolded === '' ? [] : this.#titles.entries.filter((entry) => entry.authorFolded === authorFolded)
    // The sort is stable: songs of one date stay in order of title.
    const sameCategoryEntries = this.#titles.entries
      .filter((entry) => entry.categoryId === categoryId && categoryId !== NO_CATEGORY_ID)
      .sort((a, b) => compareCodeUnits(b.dateAdded, a.dateAdded))
    const listOtherSongIds = (entries: readonly SongIndexEntry[]) =>
      listIdsAfter(song.youtube_id, entries).filter((id) => !skippedSongIds.has(id))
    return [...new Set([...listOtherSongIds(sameArtistEntries).slice(0, artistLimit), ...listOtherSongIds(sameCategoryEntries)])].slice(
      0,
      limit,
    )
  }

  /** Returns the song if `artistText` is the link or id of a song. */
  #findLinked(artistText: string): SongIndexEntry | undefined {
    const id = parseVideoId(artistText)
    return id !== undefined && this.#ids.has(id) ? this.#titles.entries.find((entry) => entry.id === id) : undefined
  }

  #countSong({ author, authorFolded, authorText }: SongIndexEntry, countChange: 1 | -1) {
    if (authorFolded === '') return
    const artistEntry = this.#artists.get(authorFolded)
    if (!artistEntry) this.#artists.set(authorFolded, { name: author, song_count: 1, text: authorText })
    else if (artistEntry.song_count + countChange === 0) this.#artists.delete(authorFolded)
    else artistEntry.song_count += countChange
  }
}
