import type { PlaylistWithSongs } from '../../contract/playlist.ts'
import { LIST_LIMIT_MAX } from '../../contract/playlist-rules.ts'
import type { Api, CallOptions } from '../platform/api.ts'

/** Requests a playlist with all its songs. Rejects with an `ApiCallError`. */
export async function requestPlaylist(api: Api, id: string, options?: CallOptions): Promise<PlaylistWithSongs> {
  const firstPage = await api.call('GET /playlist/get', { p: id, limit: LIST_LIMIT_MAX }, options)
  // The further pages are an on-demand chunk, because few playlists have them.
  return firstPage.songs.length < LIST_LIMIT_MAX
    ? firstPage
    : (await import('./long-playlist.ts')).requestFurtherPages(api, id, firstPage, options)
}
