import type { Song } from '../../../contract/song.ts'
import type { LocalDatabase } from '../local-database.ts'

/**
 * Stores the playlist `big` of the account `uid` as a sync does, with the songs that have arrived.
 * @param more whether the server has further songs of it
 */
export const putFetchedPlaylist = (database: LocalDatabase, uid: string, songs: readonly Song[], more: boolean): Promise<void> =>
  database.change(async (tables) => {
    const songIds = songs.map(({ youtube_id }) => youtube_id)
    const positions = songIds.map((_, index) => `a${index}`)
    await tables.songs.put([...songs])
    await tables.ownPlaylists.put([
      { id: 'big', uid, title: 'Big', description: '', addedAtMs: 1, entryIds: positions, songIds, positions },
    ])
    await tables.ownPlaylistCursors.put([{ uid, cursor: `e.${songs.length}`, ...(more && { more }) }])
  })
