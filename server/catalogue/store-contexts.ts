import type { Playlist } from '../../contract/playlist.ts'
import { createWatchUrl } from '../../contract/youtube.ts'
import type { Queries } from '../storage/database.ts'
import { prepareQuery } from '../storage/prepare-query.ts'
import type { ContextsTable } from '../storage/schema.ts'
import { createPicturePath } from './picture-path.ts'

export function toPlaylist(contextRow: ContextsTable): Playlist {
  const pictureUrl = createPicturePath('playlist', contextRow.id, contextRow.image_url || (contextRow.first_song ?? ''))
  return {
    id: contextRow.id,
    title: contextRow.title,
    category_id: contextRow.category_id,
    category_name: contextRow.category_name,
    description: contextRow.description,
    description_url: contextRow.description_url,
    youtube_url: contextRow.first_song === null ? '' : createWatchUrl(contextRow.first_song),
    special: contextRow.special === 1,
    image_url: pictureUrl,
    thumbnail: contextRow.first_song === null ? pictureUrl : `/img/song/${contextRow.first_song}`,
    url: `/playlist?p=${encodeURIComponent(contextRow.id)}`,
    song_count: contextRow.song_count,
    ...(contextRow.duration === null ? {} : { duration: contextRow.duration }),
  }
}

/** Finds a context (playlist, computed playlist or category) by id. If a playlist and a category have the same id, the playlist is returned. */
export function createSongContextStore(queries: Queries) {
  const findContextById = prepareQuery<{ id: string }, ContextsTable>(queries, ['id'], ({ id }) =>
    queries.selectFrom('catalogue.contexts').selectAll().where('id', '=', id).orderBy('kind').limit(1),
  )
  return {
    find: async (id: string): Promise<ContextsTable | undefined> => (await findContextById({ id }))[0],
  }
}
export type SongContextStore = ReturnType<typeof createSongContextStore>
