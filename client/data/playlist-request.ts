import type { PlaylistWithSongs } from '../../contract/playlist.ts'
import { CLIENT_PLAYLIST_SONGS_MAX, LIST_LIMIT_MAX, readSharedPlaylistToken } from '../../contract/playlist-rules.ts'
import type { Api, CallOptions } from '../platform/api.ts'

/** Requests a playlist with all its songs. Rejects with an `ApiCallError`. */
export async function requestPlaylist(api: Api, playlistId: string, options?: CallOptions): Promise<PlaylistWithSongs> {
  const token = readSharedPlaylistToken(playlistId)
  if (token !== undefined) return (await import('./device-contexts.ts')).requestSharedPlaylist(api, token, options)
  const firstPage = await api.call('GET /playlist/get', { p: playlistId, limit: LIST_LIMIT_MAX }, options)
  return firstPage.songs.length < LIST_LIMIT_MAX ? firstPage : requestFurtherPages(api, playlistId, firstPage, options)
}

/**
 * Requests the pages of a playlist that follow `firstPage`, until a page is not full or `CLIENT_PLAYLIST_SONGS_MAX` is reached. Returns the
 * playlist with the songs of all pages. Pages may overlap if the playlist changes in between: a song is listed once.
 */
async function requestFurtherPages(
  api: Api,
  playlistId: string,
  firstPage: PlaylistWithSongs,
  options?: CallOptions,
): Promise<PlaylistWithSongs> {
  const songById = new Map(firstPage.songs.map((song) => [song.youtube_id, song]))
  for (let offset = LIST_LIMIT_MAX; ; offset += LIST_LIMIT_MAX) {
    const page = await api.call('GET /playlist/get', { p: playlistId, limit: LIST_LIMIT_MAX, offset }, options)
    const songCountBefore = songById.size
    for (const song of page.songs) songById.set(song.youtube_id, song)
    // A page without a new song ends the list, so that a faulty server is not requested forever.
    if (page.songs.length < LIST_LIMIT_MAX || songById.size === songCountBefore || songById.size >= CLIENT_PLAYLIST_SONGS_MAX)
      return { playlist: page.playlist, songs: [...songById.values()] }
  }
}
