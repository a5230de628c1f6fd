import type { Song } from '../../../contract/song.ts'
import type { Airing, RadioStore, StationSong, StationState } from '../store.ts'

const createSong = (songId: string): Song => ({
  youtube_id: songId,
  youtube_url: songId,
  title: songId,
  author_name: 'Somebody',
  category_id: 'all',
  category_name: 'All',
  date_added: '2026-01-01T00:00:00Z',
  new: 'false',
})

/** Creates an in-memory store of one station. Several simulated processes can share it. */
export function createRadioMemoryStore(songs: readonly StationSong[], excludedIds: readonly string[] = []): RadioStore {
  let storedState: StationState | undefined
  const isSameAiring = (a: Airing | undefined, b: Airing | undefined) => a?.songId === b?.songId && a?.startMs === b?.startMs
  return {
    listSongs: async () => [...songs],
    listExcluded: async () => [...excludedIds],
    readSongs: async (ids) => ids.map(createSong),
    read: async () => storedState,
    async advance(_brandId, _station, airingBefore, newState) {
      if (!isSameAiring(storedState?.airing, airingBefore)) return false
      storedState = newState
      return true
    },
    exchangeListeners: async () => [],
  }
}
