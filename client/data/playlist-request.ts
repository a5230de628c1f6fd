import type { PlaylistWithSongs } from '../../contract/playlist.ts'
import type { Api, CallOptions } from '../platform/api.ts'

/** The number of songs of one request: the greatest `limit` of the API. */
export const PAGE_SONGS = 10_000

/** Requests a playlist with all its songs. Rejects with an `ApiCallError`. */
export async function requestPlaylist(api: Api, id: string, options?: CallOptions): Promise<PlaylistWithSongs> {
  const firstPage = await api.call('GET /playlist/get', { p: id, limit: PAGE_SONGS }, options)
  // The further pages are an on-demand chunk, because few playlists have them.
  return firstPage.songs.length < PAGE_SONGS
    ? firstPage
    : (await import('./long-playlist.ts')).requestFurtherPages(api, id, firstPage, options)
}
