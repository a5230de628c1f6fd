import { FAVORITES_ID } from '../../contract/computed-playlists.ts'
import type { SongDetail } from '../../contract/song.ts'
import { playlistSongsKey } from './catalogue-rows.ts'
import { readFavoriteIds } from './favorite-rows.ts'
import type { Tables } from './store.ts'

/** The songs of a playlist or category, or of the favorites of `uid`, in order; `undefined` where this device does not know them. */
export async function readContextIds(tables: Tables, contextId: string, uid: string | undefined): Promise<string[] | undefined> {
  if (contextId !== FAVORITES_ID) return (await tables.lists.get(playlistSongsKey(contextId)))?.ids
  return uid === undefined ? undefined : readFavoriteIds(tables, uid)
}

/**
 * A song as the rows of its playlist tell it, for the time until (or where) the server gives no detail: everything but
 * the description. `undefined` where the song is not in a list that this device has.
 */
export async function readKnownSong(
  tables: Tables,
  id: string,
  contextId: string | undefined,
  uid?: string,
): Promise<SongDetail | undefined> {
  const song = await tables.songs.get(id)
  const context = contextId ?? song?.category_id
  const ids = context === undefined ? undefined : await readContextIds(tables, context, uid)
  const index = ids?.indexOf(id) ?? -1
  const firstId = ids?.[0]
  if (!song || !ids || context === undefined || index < 0 || firstId === undefined) return undefined
  const nextId = ids[index + 1] ?? firstId
  const previous = ids[index - 1]
  const next = await tables.songs.get(nextId)
  const playlist = await tables.playlists.get(context)
  return {
    ...song,
    description: '',
    context_id: context,
    context_title: context === FAVORITES_ID ? 'Favorites' : (playlist?.title ?? song.category_name),
    first_song: firstId,
    next: nextId,
    next_title: next?.title ?? '',
    ...(previous === undefined ? {} : { previous }),
    favorite: false,
  }
}

/**
 * A song of this device whose own context is not here, for where no answer comes: as some other list tells it, else by
 * its row alone, followed by itself.
 */
export async function readSongAnywhere(tables: Tables, id: string): Promise<SongDetail | undefined> {
  const song = await tables.songs.get(id)
  if (!song) return undefined
  const prefix = playlistSongsKey('')
  const keys = (await tables.lists.keys()).filter((key) => key.startsWith(prefix))
  const holder = (await tables.lists.getMany(keys)).find((list) => list?.ids.includes(id))
  const known = holder && (await readKnownSong(tables, id, holder.key.slice(prefix.length)))
  if (known) return known
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
