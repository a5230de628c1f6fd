import { isShareToken } from '../../contract/own-playlist-rules.ts'
import type { Song } from '../../contract/song.ts'
import type { SongReadOptions } from '../catalogue/store-song-rows.ts'
import type { Storage } from '../storage/open.ts'
import type { Pagination } from '../storage/pagination.ts'
import type { WebsiteService } from '../websites/websites.ts'

export interface SharedPlaylistSources {
  storage: Pick<Storage, 'ownPlaylists'>
  websites: Pick<WebsiteService, 'cardOf'>
}

/** Reads a shared playlist without its songs, and returns it with the function that reads its songs; `undefined` if there is no such public page. */
export async function findSharedPlaylist({ storage: { ownPlaylists }, websites }: SharedPlaylistSources, shareToken: string) {
  const sharedPlaylist = isShareToken(shareToken) ? await ownPlaylists.findShared(shareToken) : undefined
  if (sharedPlaylist === undefined) return undefined
  const { uid, playlistId, title, description } = sharedPlaylist
  const ownerCard = await websites.cardOf(uid)
  const song_count = await ownPlaylists.countSongs(uid, playlistId)
  return {
    playlist: { title, description, song_count, ...(ownerCard !== undefined && { owner: ownerCard.site_name }) },
    listSongs: (page: Pagination, readOptions: SongReadOptions): Promise<Song[]> =>
      ownPlaylists.listSongs(uid, playlistId, page, readOptions),
  }
}
