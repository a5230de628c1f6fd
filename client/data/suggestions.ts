import { foldText } from '../../contract/fold-text.ts'
import { toSearchableText } from '../../contract/search-text.ts'
import type { Artist } from '../../contract/suggestions.ts'
import { type Api, ApiCallError } from '../platform/api.ts'
import type { LocalPlaylist } from './catalogue-repository.ts'
import type { LiveQuery } from './live-query.ts'
import { orderSuggestions } from './match-text.ts'
import type { SongIndex } from './song-index.ts'
import type { SuggestedSong } from './song-text-index.ts'

/** Songs, artists and playlists to suggest for a search text. */
export interface SearchSuggestions {
  songs: readonly SuggestedSong[]
  artists: readonly Artist[]
  playlists: readonly { id: string; title: string; song_count?: number }[]
  /** Whether the suggestions come from the songs and playlists on this device instead of the server. */
  isFromDevice: boolean
}

interface SuggestionsDeps {
  api: Api
  songIndex: () => Promise<SongIndex>
  localPlaylists: LiveQuery<LocalPlaylist[]>
  /** Whether the server is known to be unreachable. */
  offline: () => boolean
}

/** Finds up to `limit` suggestions of each kind: on the server, or on this device if the server cannot be reached. Rejects when aborted. */
export type FindSuggestions = (text: string, limit: number, signal: AbortSignal) => Promise<SearchSuggestions>

export function createFindSuggestions({ api, songIndex, localPlaylists, offline }: SuggestionsDeps): FindSuggestions {
  /** The folded titles of the playlists on this device, and the rows from which they were computed. */
  let foldedTitles: { playlists: readonly LocalPlaylist[]; titles: readonly { playlist: LocalPlaylist; text: string }[] } | undefined

  function readTitles() {
    const playlists = localPlaylists.getSnapshot() ?? []
    if (foldedTitles?.playlists !== playlists)
      foldedTitles = { playlists, titles: playlists.map((playlist) => ({ playlist, text: toSearchableText(playlist.title) })) }
    return foldedTitles.titles
  }

  async function findOnDevice(text: string, limit: number): Promise<SearchSuggestions> {
    const { songs, artists } = await (await songIndex()).suggest(text, limit)
    const foldedText = foldText(text)
    const titles = foldedText === '' ? [] : orderSuggestions(readTitles(), (title) => title.text, foldedText, limit)
    return {
      songs,
      artists,
      playlists: titles.map((title) => title.playlist),
      isFromDevice: true,
    }
  }

  return async (text, limit, signal) => {
    if (offline()) return findOnDevice(text, limit)
    try {
      return { ...(await api.call('GET /search/suggest', { s: text, limit }, { signal })), isFromDevice: false }
    } catch (error) {
      if (!(error instanceof ApiCallError) || error.kind !== 'network') throw error
      return findOnDevice(text, limit)
    }
  }
}
