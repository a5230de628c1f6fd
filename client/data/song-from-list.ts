import type { PlaylistWithSongs } from '../../contract/playlist.ts'
import type { Song, SongDetail } from '../../contract/song.ts'
import { createPlaylistSongsKey } from './catalogue-rows.ts'
import type { Tables } from './local-database.ts'

/** The songs among which the neighbours of a song are found. */
interface SongContext {
  id: string
  title: string
  songIds: readonly string[]
}

const createDetail = (
  song: Song,
  { id, title }: Pick<SongContext, 'id' | 'title'>,
  neighbours: Pick<SongDetail, 'first_song' | 'next' | 'next_title'>,
  previous?: string,
): SongDetail => ({
  ...song,
  description: '',
  context_id: id,
  context_title: title,
  ...neighbours,
  ...(previous && { previous }),
  favorite: false,
})

/** Builds the detail of a stored song, without its description, with its neighbours in `context`; `undefined` if the song is not in it. */
export async function buildDetailInContext(tables: Tables, songId: string, context: SongContext): Promise<SongDetail | undefined> {
  const { songIds } = context
  const storedSong = await tables.songs.get(songId)
  const index = songIds.indexOf(songId)
  const firstSongId = songIds[0]
  if (!storedSong || index < 0 || firstSongId === undefined) return undefined
  const nextSongId = songIds[index + 1] ?? firstSongId
  const previousSongId = songIds[index - 1]
  const nextSong = await tables.songs.get(nextSongId)
  const neighbours = { first_song: firstSongId, next: nextSongId, next_title: nextSong?.title ?? '' }
  return createDetail(storedSong, context, neighbours, previousSongId)
}

/**
 * Builds the detail of a song, without its description, from the stored rows of its playlist, for use until the server's detail is fetched.
 * `undefined` if the song is not in a stored list of the context.
 */
export async function buildSongDetail(tables: Tables, songId: string, songContextId: string | undefined): Promise<SongDetail | undefined> {
  const storedSong = await tables.songs.get(songId)
  const foundContextId = songContextId ?? storedSong?.category_id
  const listRow = foundContextId === undefined ? undefined : await tables.lists.get(createPlaylistSongsKey(foundContextId))
  if (!storedSong || !listRow || foundContextId === undefined) return undefined
  const playlist = await tables.playlists.get(foundContextId)
  return buildDetailInContext(tables, songId, {
    id: foundContextId,
    title: playlist?.title ?? storedSong.category_name,
    songIds: listRow.ids,
  })
}

/**
 * Builds the detail of a song, without its description, from the loaded rows of its playlist. `undefined` if they do not contain the song
 * or the next song.
 */
export function buildDetailFromPlaylist({ playlist, songs }: PlaylistWithSongs, songId: string): SongDetail | undefined {
  const index = songs.findIndex((each) => each.youtube_id === songId)
  const listedSong = songs[index]
  const firstSong = songs[0]
  const nextSong = songs[index + 1] ?? (songs.length >= playlist.song_count ? firstSong : undefined)
  const previousSong = songs[index - 1]
  if (!listedSong || !firstSong || !nextSong) return undefined
  const neighbours = { first_song: firstSong.youtube_id, next: nextSong.youtube_id, next_title: nextSong.title }
  return createDetail(listedSong, playlist, neighbours, previousSong?.youtube_id)
}

/**
 * Builds the detail of a stored song whose context is not stored, for use while the server is unreachable: with the neighbours of any stored list that
 * has the song, else with the song itself as its next song.
 */
export async function buildDetailFromAnyList(tables: Tables, songId: string): Promise<SongDetail | undefined> {
  const storedSong = await tables.songs.get(songId)
  if (!storedSong) return undefined
  const keyPrefix = createPlaylistSongsKey('')
  const listKeys = (await tables.lists.keys()).filter((key) => key.startsWith(keyPrefix))
  const listWithSong = (await tables.lists.getMany(listKeys)).find((list) => list?.ids.includes(songId))
  const songDetail = listWithSong && (await buildSongDetail(tables, songId, listWithSong.key.slice(keyPrefix.length)))
  if (songDetail) return songDetail
  const category = { id: storedSong.category_id, title: storedSong.category_name }
  return createDetail(storedSong, category, { first_song: songId, next: songId, next_title: storedSong.title })
}
