import type { PlaylistWithSongs } from '../../contract/playlist.ts'
import { LIST_LIMIT_MAX, readSharedPlaylistToken } from '../../contract/playlist-rules.ts'
import type { Api, CallOptions } from '../platform/api.ts'

/** Loads the code of requests that few visits need. */
const loadRareRequests = () => import('./rare-playlist-requests.ts')

/** Requests a playlist with all its songs. Rejects with an `ApiCallError`. */
export async function requestPlaylist(api: Api, playlistId: string, options?: CallOptions): Promise<PlaylistWithSongs> {
  const token = readSharedPlaylistToken(playlistId)
  if (token !== undefined) return (await loadRareRequests()).requestSharedPlaylist(api, token, options)
  const firstPage = await api.call('GET /playlist/get', { p: playlistId, limit: LIST_LIMIT_MAX }, options)
  return firstPage.songs.length < LIST_LIMIT_MAX
    ? firstPage
    : (await loadRareRequests()).requestFurtherPages(api, playlistId, firstPage, options)
}
