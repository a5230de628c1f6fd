import type { Queries } from '../storage/database.ts'
import { prepareQuery } from '../storage/prepare-query.ts'
import type { ContextsTable } from '../storage/schema.ts'

/** Finds a context (playlist, computed playlist or category) by id. If a playlist and a category have the same id, the playlist is returned. */
export function createContexts(queries: Queries) {
  const byId = prepareQuery<{ id: string }, ContextsTable>(queries, ['id'], ({ id }) =>
    queries.selectFrom('catalogue.contexts').selectAll().where('id', '=', id).orderBy('kind').limit(1),
  )
  return {
    find: async (id: string): Promise<ContextsTable | undefined> => (await byId({ id }))[0],
  }
}
export type Contexts = ReturnType<typeof createContexts>
