import type { Queries } from './database.ts'
import { prepared } from './prepared.ts'
import type { ContextsTable } from './schema.ts'

/** Finds what songs are played in. A playlist's id wins over a category's. */
export function createContexts(queries: Queries) {
  const byId = prepared<{ id: string }, ContextsTable>(queries, ['id'], ({ id }) =>
    queries.selectFrom('catalogue.contexts').selectAll().where('id', '=', id).orderBy('kind').limit(1),
  )
  return {
    find: async (id: string): Promise<ContextsTable | undefined> => (await byId({ id }))[0],
  }
}
export type Contexts = ReturnType<typeof createContexts>
