import type { Playlist } from '../../contract/playlist.ts'
import { watchUrl } from '../../contract/youtube.ts'
import type { Queries } from '../storage/database.ts'
import { prepareQuery } from '../storage/prepare-query.ts'
import type { ContextsTable } from '../storage/schema.ts'
import { picturePath } from './picture-path.ts'

export function toPlaylist(row: ContextsTable): Playlist {
  const pictureUrl = picturePath('playlist', row.id, row.image_url || (row.first_song ?? ''))
  return {
    id: row.id,
    title: row.title,
    category_id: row.category_id,
    category_name: row.category_name,
    description: row.description,
    description_url: row.description_url,
    youtube_url: row.first_song === null ? '' : watchUrl(row.first_song),
    special: row.special === 1,
    image_url: pictureUrl,
    thumbnail: row.first_song === null ? pictureUrl : `/img/song/${row.first_song}`,
    url: `/playlist?p=${encodeURIComponent(row.id)}`,
    song_count: row.song_count,
    ...(row.duration === null ? {} : { duration: row.duration }),
  }
}

/** Finds a context (playlist, computed playlist or category) by id. If a playlist and a category have the same id, the playlist is returned. */
export function createSongContextStore(queries: Queries) {
  const byId = prepareQuery<{ id: string }, ContextsTable>(queries, ['id'], ({ id }) =>
    queries.selectFrom('catalogue.contexts').selectAll().where('id', '=', id).orderBy('kind').limit(1),
  )
  return {
    find: async (id: string): Promise<ContextsTable | undefined> => (await byId({ id }))[0],
  }
}
export type SongContextStore = ReturnType<typeof createSongContextStore>
