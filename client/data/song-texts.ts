import type { Song } from '../../contract/song.ts'
import { foldText } from '../../contract/text.ts'
import type { SearchQuery } from './search-query.ts'

interface SongEntry {
  id: string
  title: string
  dateAdded: string
  titleFolded: string
  /** Folded title and author. Every word is preceded by a space, so that a search can match the start of a word. */
  text: string
  authorFolded: string
}

/** Compares entries in the server's order by title: folded title, then title, then id, each by code units. */
function byTitle(a: SongEntry, b: SongEntry): number {
  return compareCodeUnits(a.titleFolded, b.titleFolded) || compareCodeUnits(a.title, b.title) || compareCodeUnits(a.id, b.id)
}
const compareCodeUnits = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

function toEntry(song: Song): SongEntry {
  const titleFolded = foldText(song.title)
  const authorFolded = ` ${foldText(song.author_name)}`
  return {
    id: song.youtube_id,
    title: song.title,
    dateAdded: song.date_added,
    titleFolded,
    text: ` ${titleFolded}${authorFolded}`,
    authorFolded,
  }
}

/** Returns the substring to search for: words of one or two letters match only the start of a word. */
const toSearchTerm = (word: string) => (Array.from(word).length < 3 ? ` ${word}` : word)

/** Maximum number of entries that are inserted one by one; more entries are sorted and merged. */
const SINGLE_INSERTS_MAX = 64

/** The indexed songs in order of title, so that a search does not have to sort. */
class OrderedEntries {
  entries: SongEntry[] = []
  readonly #compare: (a: SongEntry, b: SongEntry) => number

  constructor(compareEntries: (a: SongEntry, b: SongEntry) => number) {
    this.#compare = compareEntries
  }

  add(newEntries: readonly SongEntry[]) {
    if (newEntries.length > SINGLE_INSERTS_MAX) this.#merge([...newEntries].sort(this.#compare))
    else for (const entry of newEntries) this.entries.splice(this.#insertionIndex(entry), 0, entry)
  }

  #insertionIndex(entry: SongEntry): number {
    let lowIndex = 0
    let highIndex = this.entries.length
    while (lowIndex < highIndex) {
      const middleIndex = (lowIndex + highIndex) >> 1
      const middleEntry = this.entries[middleIndex]
      if (middleEntry && this.#compare(middleEntry, entry) < 0) lowIndex = middleIndex + 1
      else highIndex = middleIndex
    }
    return lowIndex
  }

  #merge(newEntries: readonly SongEntry[]) {
    const mergedEntries: SongEntry[] = []
    let nextIndex = 0
    for (const entry of this.entries) {
      for (
        let middleEntry = newEntries[nextIndex];
        middleEntry && this.#compare(middleEntry, entry) < 0;
        middleEntry = newEntries[++nextIndex]
      )
        mergedEntries.push(middleEntry)
      mergedEntries.push(entry)
    }
    this.entries = mergedEntries.concat(newEntries.slice(nextIndex))
  }
}

/** In-memory search index of the songs on this device, for tens of thousands of songs. */
export class SongTexts {
  readonly #ids = new Set<string>()
  readonly #titles = new OrderedEntries(byTitle)
  readonly #dates = new OrderedEntries((a, b) => compareCodeUnits(a.dateAdded, b.dateAdded) || byTitle(a, b))

  get size() {
    return this.#ids.size
  }

  put(songs: readonly Song[]) {
    const addedEntries = songs.map(toEntry)
    this.remove(addedEntries.map((entry) => entry.id))
    for (const entry of addedEntries) this.#ids.add(entry.id)
    this.#titles.add(addedEntries)
    this.#dates.add(addedEntries)
  }

  remove(ids: readonly string[]) {
    const removedIds = new Set(ids.filter((id) => this.#ids.delete(id)))
    if (removedIds.size === 0) return
    for (const orderedEntries of [this.#titles, this.#dates])
      orderedEntries.entries = orderedEntries.entries.filter((entry) => !removedIds.has(entry.id))
  }

  /** Returns the ids of the indexed songs that match `query`, in the order of the server's search results. */
  search({ text, artist: isArtistSearch, sort }: SearchQuery): string[] {
    const folded = foldText(text)
    if (folded === '') return []
    const words = [...new Set(folded.split(' '))].map(toSearchTerm)
    const { entries } = sort === 'az' || sort === 'za' ? this.#titles : this.#dates
    const exactMatches: string[] = []
    const otherIds: string[] = []
    const exactAuthor = ` ${folded}`
    for (const entry of entries) {
      const searchedText = isArtistSearch ? entry.authorFolded : entry.text
      if (words.every((word) => searchedText.includes(word)))
        (isArtistSearch && entry.authorFolded === exactAuthor ? exactMatches : otherIds).push(entry.id)
    }
    const isAscending = sort === 'az' || sort === 'oldest'
    return isAscending ? exactMatches.concat(otherIds) : exactMatches.reverse().concat(otherIds.reverse())
  }
}
