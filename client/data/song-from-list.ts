import type { PlaylistWithSongs } from '../../contract/playlist.ts'
import type { SongDetail } from '../../contract/song.ts'
import { playlistSongsKey } from './catalogue-rows.ts'
import type { Tables } from './local-database.ts'

/** The songs among which the neighbours of a song are found. */
interface SongContext {
  id: string
  title: string
  songIds: readonly string[]
}

/** Builds the detail of a stored song, without its description, with its neighbours in `context`; `undefined` if the song is not in it. */
export async function buildDetailInContext(tables: Tables, id: string, context: SongContext): Promise<SongDetail | undefined> {
  const { songIds } = context
  const song = await tables.songs.get(id)
  const index = songIds.indexOf(id)
  const firstId = songIds[0]
  if (!song || index < 0 || firstId === undefined) return undefined
  const nextId = songIds[index + 1] ?? firstId
  const previousId = songIds[index - 1]
  const nextSong = await tables.songs.get(nextId)
  return {
    ...song,
    description: '',
    context_id: context.id,
    context_title: context.title,
    first_song: firstId,
    next: nextId,
    next_title: nextSong?.title ?? '',
    ...(previousId === undefined ? {} : { previous: previousId }),
    favorite: false,
  }
}

/**
 * Builds the detail of a song, without its description, from the stored rows of its playlist, for use until the server's detail is fetched.
 * `undefined` if the song is not in a stored list of the context.
 */
export async function buildSongDetail(tables: Tables, id: string, contextId: string | undefined): Promise<SongDetail | undefined> {
  const song = await tables.songs.get(id)
  const foundContextId = contextId ?? song?.category_id
  const list = foundContextId === undefined ? undefined : await tables.lists.get(playlistSongsKey(foundContextId))
  if (!song || !list || foundContextId === undefined) return undefined
  const playlist = await tables.playlists.get(foundContextId)
  return buildDetailInContext(tables, id, { id: foundContextId, title: playlist?.title ?? song.category_name, songIds: list.ids })
}

/**
 * Builds the detail of a song, without its description, from the loaded rows of its playlist. `undefined` if they do not contain the song
 * or the next song.
 */
export function buildDetailFromPlaylist({ playlist, songs }: PlaylistWithSongs, id: string): SongDetail | undefined {
  const index = songs.findIndex((each) => each.youtube_id === id)
  const song = songs[index]
  const firstSong = songs[0]
  const nextSong = songs[index + 1] ?? (songs.length >= playlist.song_count ? firstSong : undefined)
  const previousSong = songs[index - 1]
  return (
    song &&
    firstSong &&
    nextSong && {
      ...song,
      description: '',
      context_id: playlist.id,
      context_title: playlist.title,
      first_song: firstSong.youtube_id,
      next: nextSong.youtube_id,
      next_title: nextSong.title,
      ...(previousSong && { previous: previousSong.youtube_id }),
      favorite: false,
    }
  )
}

/**
 * Builds the detail of a stored song whose context is not stored, for use while the server is unreachable: with the neighbours of any stored list that
 * has the song, else with the song itself as its next song.
 */
export async function buildDetailFromAnyList(tables: Tables, id: string): Promise<SongDetail | undefined> {
  const song = await tables.songs.get(id)
  if (!song) return undefined
  const prefix = playlistSongsKey('')
  const keys = (await tables.lists.keys()).filter((key) => key.startsWith(prefix))
  const listWithSong = (await tables.lists.getMany(keys)).find((list) => list?.ids.includes(id))
  const detail = listWithSong && (await buildSongDetail(tables, id, listWithSong.key.slice(prefix.length)))
  if (detail) return detail
  return {
    ...song,
    description: '',
    context_id: song.category_id,
    context_title: song.category_name,
    first_song: id,
    next: id,
    next_title: song.title,
    favorite: false,
  }
}
