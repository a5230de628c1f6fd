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

export function createSuggestionFinder({ api, songIndex, localPlaylists, offline }: SuggestionsDeps): FindSuggestions {
  /** The folded titles of the playlists on this device, and the rows from which they were computed. */
  let foldedTitles: { playlists: readonly LocalPlaylist[]; titles: readonly { playlist: LocalPlaylist; text: string }[] } | undefined

  function readFoldedTitles() {
    const playlists = localPlaylists.getSnapshot() ?? []
    if (foldedTitles?.playlists !== playlists)
      foldedTitles = { playlists, titles: playlists.map((playlist) => ({ playlist, text: toSearchableText(playlist.title) })) }
    return foldedTitles.titles
  }

  async function findOnDevice(typedText: string, suggestionLimit: number): Promise<SearchSuggestions> {
    const { songs, artists } = await (await songIndex()).suggest(typedText, suggestionLimit)
    const foldedText = foldText(typedText)
    const matchingTitles = foldedText === '' ? [] : orderSuggestions(readFoldedTitles(), (title) => title.text, foldedText, suggestionLimit)
    return {
      songs,
      artists,
      playlists: matchingTitles.map((title) => title.playlist),
      isFromDevice: true,
    }
  }

  return async (typedText, suggestionLimit, signal) => {
    if (offline()) return findOnDevice(typedText, suggestionLimit)
    try {
      return { ...(await api.call('GET /search/suggest', { s: typedText, limit: suggestionLimit }, { signal })), isFromDevice: false }
    } catch (error) {
      if (!(error instanceof ApiCallError) || error.kind !== 'network') throw error
      return findOnDevice(typedText, suggestionLimit)
    }
  }
}
