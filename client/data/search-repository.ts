import type { Song } from '../../contract/song.ts'
import { foldText } from '../../contract/text.ts'
import { type Api, ApiFailure } from '../platform/api.ts'
import { putList, putSongs, readSongs } from './catalogue-rows.ts'
import { createResource, type createResourcePool, type Resource } from './resource.ts'
import type { CatalogueStore, Tables } from './store.ts'

export type SearchSort = 'az' | 'za' | 'newest' | 'oldest'

export interface SearchQuery {
  /** What the person typed; not empty. */
  text: string
  /** Match the author only. */
  artist: boolean
  sort: SearchSort
}

export interface SearchResults {
  songs: Song[]
  /** The server has no further songs. */
  complete: boolean
}

export interface SearchResource extends Resource<SearchResults> {
  /** Adds the next page. Shared while one is under way; rejects with an `ApiFailure`. */
  more(): Promise<void>
}

export const PAGE_SIZE = 50

const sortInput = {
  az: { orderBy: 'title', orderDir: 'ASC' },
  za: { orderBy: 'title', orderDir: 'DESC' },
  newest: { orderBy: 'date_added', orderDir: 'DESC' },
  oldest: { orderBy: 'date_added', orderDir: 'ASC' },
} as const

interface SearchDeps {
  api: Api
  store: CatalogueStore
  pooled: ReturnType<typeof createResourcePool>
  query: SearchQuery
}

export function createSearch({ api, store, pooled, query }: SearchDeps): SearchResource {
  const key = `search:${query.artist ? 'artist' : 'all'}:${query.sort}:${query.text}`

  const ask = (offset: number) =>
    api.call('GET /song/search', {
      s: query.text,
      ...sortInput[query.sort],
      ...(query.artist ? { type: 'artist' as const } : {}),
      limit: PAGE_SIZE,
      offset,
    })

  return pooled(key, () => {
    let adding: Promise<void> | undefined
    const resource = createResource<SearchResults>({
      key,
      store,
      read: (tables) => readSongs(tables, key),
      async fetch() {
        const songs = await ask(0).catch(async (error: unknown) => {
          if (error instanceof ApiFailure && error.kind === 'network') await searchHere(store, key, query)
          throw error
        })
        await store.change(async (tables) => {
          await putSongs(tables, songs)
          const ids = songs.map((song) => song.youtube_id)
          const stored = await tables.lists.get(key)
          // Pages that were added stay as long as they follow the same first page.
          if (stored && stored.ids.length > ids.length && ids.length === PAGE_SIZE && ids.every((id, index) => stored.ids[index] === id))
            return
          await putList(tables, key, ids, songs.length < PAGE_SIZE)
        })
      },
    })

    async function add() {
      const before = resource.getSnapshot().data
      if (!before || before.complete) return
      const songs = await ask(before.songs.length)
      await store.change(async (tables) => {
        await putSongs(tables, songs)
        const stored = await tables.lists.get(key)
        const ids = [...new Set([...(stored?.ids ?? []), ...songs.map((song) => song.youtube_id)])]
        await putList(tables, key, ids, songs.length < PAGE_SIZE)
      })
    }

    // Not a spread: `watched` is a getter.
    return Object.assign(resource, {
      more() {
        adding ??= add().finally(() => {
          adding = undefined
        })
        return adding
      },
    })
  })
}

/** Without a connection: the songs of this device that match, by the rules of the server's search. */
async function searchHere(store: CatalogueStore, key: string, query: SearchQuery): Promise<void> {
  const words = foldText(query.text).split(' ').filter(Boolean)
  await store.change(async (tables) => {
    if (words.length === 0 || (await tables.lists.get(key))) return
    const songs = await matchingSongs(tables, words, query)
    if (songs.length > 0)
      await putList(
        tables,
        key,
        songs.map((song) => song.youtube_id),
        false,
      )
  })
}

async function matchingSongs(tables: Tables, words: string[], query: SearchQuery): Promise<Song[]> {
  const collator = new Intl.Collator('en', { numeric: true })
  const byTitle = (a: Song, b: Song) => collator.compare(a.title, b.title)
  const byDate = (a: Song, b: Song) => a.date_added.localeCompare(b.date_added)
  const order = { az: byTitle, za: (a: Song, b: Song) => byTitle(b, a), oldest: byDate, newest: (a: Song, b: Song) => byDate(b, a) }[
    query.sort
  ]
  const songs = await tables.songs.all()
  return songs.filter((song) => matches(song, words, query.artist)).sort(order)
}

function matches(song: Song, words: string[], artist: boolean): boolean {
  const text = foldText(artist ? song.author_name : `${song.title} ${song.author_name}`)
  return words.every((word) => ` ${text}`.includes(` ${word}`) || (word.length >= 3 && text.includes(word)))
}
