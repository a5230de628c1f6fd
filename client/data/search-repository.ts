import type { Song } from '../../contract/song.ts'
import { songSorts } from '../../contract/sort-orders.ts'
import { type Api, ApiCallError } from '../platform/api.ts'
import { singleFlight } from '../primitives/single-flight.ts'
import { putList, putSongs, readSongs } from './catalogue-rows.ts'
import type { LocalDatabase } from './local-database.ts'
import { createResource, type FetchedRows, type Resource, type ResourcePool } from './resource.ts'
import type { SongIndex } from './song-index.ts'
import type { SearchQuery } from './song-text-index.ts'

export interface SearchResults {
  songs: Song[]
  /** Whether the server has no further matching songs. */
  complete: boolean
  /** Whether the results come from this device's index instead of the server. */
  isFromDevice: boolean
}

export interface PagedSearchResource extends Resource<SearchResults> {
  /** Loads the next page of results. Concurrent calls share one request; rejects with an `ApiCallError`. */
  more(): Promise<void>
}

const RESULTS_PER_PAGE = 50
/** The time after which results of this device are shown, if there are any, instead of waiting for the server. */
const LOCAL_RESULTS_AFTER_MS = 1_200

interface SearchDeps {
  api: Api
  database: LocalDatabase
  pool: ResourcePool
  songIndex: () => Promise<SongIndex>
  /** Whether the server is known to be unreachable. */
  offline: () => boolean
  query: SearchQuery
  /** The search results in the page's HTML. `isCurrent`: they are as new as a response, so no request is needed. */
  initialResults?: { songs: Song[]; complete: boolean; isCurrent: boolean } | undefined
}

export function createSearch({
  api,
  database,
  pool,
  songIndex,
  offline,
  query,
  initialResults: initialPage,
}: SearchDeps): PagedSearchResource {
  const resourceKey = `search:${query.artist ? 'artist' : 'all'}:${query.sort}:${query.text}`

  const requestPage = (firstRow: number) =>
    api.call('GET /song/search', {
      s: query.text,
      ...songSorts[query.sort],
      ...(query.artist ? { type: 'artist' as const } : {}),
      limit: RESULTS_PER_PAGE,
      offset: firstRow,
    })

  const createFirstPage = (songs: Song[]): FetchedRows<SearchResults> => {
    const areResultsComplete = songs.length < RESULTS_PER_PAGE
    return {
      rows: { songs, complete: areResultsComplete, isFromDevice: false },
      async write(tables) {
        await putSongs(tables, songs)
        const songIds = songs.map((song) => song.youtube_id)
        const storedListRow = await tables.lists.get(resourceKey)
        // If the refreshed first page equals the stored one, the stored further pages of results are not removed.
        if (
          storedListRow &&
          !storedListRow.local &&
          storedListRow.ids.length > songIds.length &&
          songIds.length === RESULTS_PER_PAGE &&
          songIds.every((id, index) => storedListRow.ids[index] === id)
        )
          return
        await putList(tables, resourceKey, songIds, areResultsComplete)
      },
    }
  }

  return pool.get(resourceKey, () => {
    const resource = createResource<SearchResults>({
      key: resourceKey,
      database,
      initial: initialPage && {
        rows: { songs: initialPage.songs, complete: initialPage.complete, isFromDevice: false },
        answer: initialPage.isCurrent && initialPage.complete ? createFirstPage(initialPage.songs) : undefined,
      },
      read: (tables) => readSongs(tables, resourceKey),
      async request() {
        if (offline()) await showLocalResults()
        const localResultsTimer = setTimeout(() => void showLocalResults(), LOCAL_RESULTS_AFTER_MS)
        const songs = await requestPage(0)
          .catch(async (error: unknown) => {
            if (error instanceof ApiCallError && error.kind === 'network') await showLocalResults()
            throw error
          })
          .finally(() => clearTimeout(localResultsTimer))
        return createFirstPage(songs)
      },
    })

    /** Shows `songCount` matching songs of this device (by default one page), unless the server's results are stored. */
    async function showLocalResults(songCount = RESULTS_PER_PAGE) {
      const foundSongIds = await (await songIndex()).search(query)
      await database.change(async (tables) => {
        const storedList = await tables.lists.get(resourceKey)
        if ((storedList && !storedList.local) || foundSongIds.length === 0) return
        const shownCount = Math.max(songCount, storedList?.ids.length ?? 0)
        await putList(tables, resourceKey, foundSongIds.slice(0, shownCount), shownCount >= foundSongIds.length, true)
      })
    }

    async function addPage() {
      const resultsBefore = resource.getSnapshot().data
      if (!resultsBefore || resultsBefore.complete) return
      if (resultsBefore.isFromDevice) return showLocalResults(resultsBefore.songs.length + RESULTS_PER_PAGE)
      const songs = await requestPage(resultsBefore.songs.length)
      await database.change(async (tables) => {
        const storedList = await tables.lists.get(resourceKey)
        const knownSongIds = storedList ? storedList.ids : resultsBefore.songs.map((song) => song.youtube_id)
        await putSongs(tables, storedList ? songs : [...resultsBefore.songs, ...songs])
        const ids = [...new Set([...knownSongIds, ...songs.map((song) => song.youtube_id)])]
        await putList(tables, resourceKey, ids, songs.length < RESULTS_PER_PAGE)
      })
    }

    // `Object.assign` keeps the getters of the resource, which a spread would evaluate once.
    return Object.assign(resource, { more: singleFlight(addPage) })
  })
}
