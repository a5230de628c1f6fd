import { createContexts } from './contexts.ts'
import type { Database } from './database.ts'
import { prepared } from './prepared.ts'
import type { PictureSource, PictureStore } from './storage.ts'

type Source = { url: string }
type Id = { id: string }

const sourceOf = (url: string, songId: string | null): PictureSource => ({
  ...(url === '' ? {} : { url }),
  ...(songId === null ? {} : { songId }),
})

export function createPictureStore({ queries }: Database): PictureStore {
  const contexts = createContexts(queries)
  const song = prepared<Id, { youtube_id: string }>(queries, ['id'], ({ id }) =>
    queries.selectFrom('catalogue.songs').select('youtube_id').where('youtube_id', '=', id),
  )
  const named = {
    member: prepared<Id, Source>(queries, ['id'], ({ id }) =>
      queries.selectFrom('members').select('channel_pic as url').where('channel_id', '=', id),
    ),
    supporter: prepared<Id, Source>(queries, ['id'], ({ id }) =>
      queries.selectFrom('supporters').select('profile_pic as url').where('domain_name', '=', id),
    ),
    feed: prepared<Id, Source>(queries, ['id'], ({ id }) => queries.selectFrom('feed').select('image as url').where('id', '=', id)),
  }
  return {
    source: async (kind, id) => {
      if (kind === 'song') {
        const [row] = await song({ id })
        return row && sourceOf('', row.youtube_id)
      }
      if (kind === 'playlist') {
        const context = await contexts.find(id)
        return context && sourceOf(context.image_url, context.first_song)
      }
      const [row] = await named[kind]({ id })
      return row && sourceOf(row.url, null)
    },
  }
}
