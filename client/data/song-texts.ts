import type { Song } from '../../contract/song.ts'
import { foldText } from '../../contract/text.ts'
import type { SearchQuery } from './search-query.ts'

interface Entry {
  id: string
  title: string
  dateAdded: string
  titleFolded: string
  /** Each begins with a space, so that the start of a word is told from its middle. */
  text: string
  author: string
}

/** The server's order by title: the folded title, then the title as it stands, then the id; each by its characters. */
function byTitle(a: Entry, b: Entry): number {
  return compare(a.titleFolded, b.titleFolded) || compare(a.title, b.title) || compare(a.id, b.id)
}
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

function toEntry(song: Song): Entry {
  const titleFolded = foldText(song.title)
  const author = ` ${foldText(song.author_name)}`
  return { id: song.youtube_id, title: song.title, dateAdded: song.date_added, titleFolded, text: ` ${titleFolded}${author}`, author }
}

/** A word is found at the start of words; from three letters on anywhere. */
const sought = (word: string) => (Array.from(word).length < 3 ? ` ${word}` : word)

/** Up to so many changed songs are put into their places one by one; more are sorted in together. */
const FEW = 64

/** Songs in one order, kept through changes: a search then sorts nothing. */
class OrderedEntries {
  entries: Entry[] = []
  readonly #order: (a: Entry, b: Entry) => number

  constructor(order: (a: Entry, b: Entry) => number) {
    this.#order = order
  }

  add(added: readonly Entry[]) {
    if (added.length > FEW) this.#merge([...added].sort(this.#order))
    else for (const entry of added) this.entries.splice(this.#placeOf(entry), 0, entry)
  }

  #placeOf(entry: Entry): number {
    let low = 0
    let high = this.entries.length
    while (low < high) {
      const middle = (low + high) >> 1
      const other = this.entries[middle]
      if (other && this.#order(other, entry) < 0) low = middle + 1
      else high = middle
    }
    return low
  }

  #merge(added: readonly Entry[]) {
    const merged: Entry[] = []
    let next = 0
    for (const entry of this.entries) {
      for (let other = added[next]; other && this.#order(other, entry) < 0; other = added[++next]) merged.push(other)
      merged.push(entry)
    }
    this.entries = merged.concat(added.slice(next))
  }
}

/** The texts of this device's songs, good for tens of thousands. */
export class SongTexts {
  readonly #ids = new Set<string>()
  readonly #titles = new OrderedEntries(byTitle)
  readonly #dates = new OrderedEntries((a, b) => compare(a.dateAdded, b.dateAdded) || byTitle(a, b))

  get size() {
    return this.#ids.size
  }

  put(songs: readonly Song[]) {
    const added = songs.map(toEntry)
    this.remove(added.map((entry) => entry.id))
    for (const entry of added) this.#ids.add(entry.id)
    this.#titles.add(added)
    this.#dates.add(added)
  }

  remove(ids: readonly string[]) {
    const gone = new Set(ids.filter((id) => this.#ids.delete(id)))
    if (gone.size === 0) return
    for (const ordered of [this.#titles, this.#dates]) ordered.entries = ordered.entries.filter((entry) => !gone.has(entry.id))
  }

  /** The ids of the songs that the server would give for `query`, of those that are here, in its order. */
  search({ text, artist, sort }: SearchQuery): string[] {
    const folded = foldText(text)
    if (folded === '') return []
    const words = [...new Set(folded.split(' '))].map(sought)
    const { entries } = sort === 'az' || sort === 'za' ? this.#titles : this.#dates
    const first: string[] = []
    const others: string[] = []
    const exact = ` ${folded}`
    for (const entry of entries) {
      const within = artist ? entry.author : entry.text
      if (words.every((word) => within.includes(word))) (artist && entry.author === exact ? first : others).push(entry.id)
    }
    const forward = sort === 'az' || sort === 'oldest'
    return forward ? first.concat(others) : first.reverse().concat(others.reverse())
  }
}
