import type { PlaylistWithSongs } from '../../contract/playlist.ts'
import { CLIENT_PLAYLIST_SONGS_MAX, LIST_LIMIT_MAX } from '../../contract/playlist-rules.ts'
import { toCataloguePlaylist } from '../../contract/shared-playlist.ts'
import type { Api, CallOptions } from '../platform/api.ts'

// The requests of shared and of very long playlists. This module is an on-demand chunk.

/** Requests a shared playlist, in the form of a catalogue playlist. */
export const requestSharedPlaylist = async (api: Api, shareToken: string, options?: CallOptions): Promise<PlaylistWithSongs> =>
  toCataloguePlaylist(shareToken, await api.call('GET /list/get', { l: shareToken, limit: LIST_LIMIT_MAX }, options))

/**
 * Requests the pages of a playlist that follow `firstPage`, until a page is not full or `CLIENT_PLAYLIST_SONGS_MAX` is reached. Returns the
 * playlist with the songs of all pages. Pages may overlap if the playlist changes in between: a song is listed once.
 */
export async function requestFurtherPages(
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
