import type { EmbedKind } from '../../contract/embed.ts'
import { isShareToken } from '../../contract/own-playlist-rules.ts'
import { SHARED_PLAYLIST_PATH } from '../../contract/paths.ts'
import { parseVideoId } from '../../contract/youtube.ts'
import type { SongReadOptions } from '../catalogue/store-song-rows.ts'
import type { Storage } from '../storage/open.ts'
import type { EmbeddedList } from './document.ts'

/** The maximum number of songs that an embedded player has. */
const LISTED_SONGS_MAX = 50

const formatSongCount = (count: number) => `${count} ${count === 1 ? 'song' : 'songs'}`

type EmbedStorage = Pick<Storage, 'songs' | 'playlists' | 'ownPlaylists'>

/** Finds the song or list that an embedded player shows. Returns undefined if it does not exist. */
export async function findEmbeddedList(
  { songs, playlists, ownPlaylists }: EmbedStorage,
  kind: EmbedKind,
  listId: string,
  readOptions: SongReadOptions,
): Promise<EmbeddedList | undefined> {
  if (listId === '' || listId.length > 100 || listId.includes('\0')) return undefined
  const pagination = { limit: LISTED_SONGS_MAX, offset: 0 }
  if (kind === 'song') {
    const songId = parseVideoId(listId)
    const song = songId === undefined ? undefined : await songs.get(songId, undefined, readOptions)
    return song && { title: song.title, subtitle: song.author_name, path: `/song?s=${song.youtube_id}`, songs: [song] }
  }
  if (kind === 'playlist') {
    const foundPlaylist = await playlists.get(listId, pagination, readOptions)
    if (foundPlaylist === undefined) return undefined
    const { id: playlistId, title, song_count } = foundPlaylist.playlist
    return {
      title,
      subtitle: formatSongCount(song_count),
      path: `/playlist?p=${encodeURIComponent(playlistId)}`,
      songs: foundPlaylist.songs,
    }
  }
  const sharedPlaylist = isShareToken(listId) ? await ownPlaylists.findShared(listId) : undefined
  if (sharedPlaylist === undefined) return undefined
  const { uid, playlistId, title } = sharedPlaylist
  return {
    title,
    subtitle: formatSongCount(await ownPlaylists.countSongs(uid, playlistId)),
    path: `${SHARED_PLAYLIST_PATH}?l=${listId}`,
    songs: await ownPlaylists.listSongs(uid, playlistId, pagination, readOptions),
  }
}
