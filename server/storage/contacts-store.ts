import type { ContactRequest } from '../../contract/contact.ts'
import { createAppliedChanges, NOBODY } from './applied-changes.ts'
import type { Database } from './database.ts'
import type { ContactsTable } from './schema.ts'
import type { ContactStore } from './storage.ts'

type ContactRow = Omit<ContactsTable, 'id'> & { id: number }

/** The fields that were filled in. `add` stored them from a validated request, so they are of its types. */
const filledIn = (row: ContactRow): ContactRequest => ({
  topic: row.topic as ContactRequest['topic'],
  ...(row.email === null ? {} : { email: row.email }),
  ...(row.discord === null ? {} : { discord: row.discord }),
  ...(row.youtube_url === null ? {} : { youtube_url: row.youtube_url }),
  ...(row.message === null ? {} : { message: row.message }),
  ...(row.remember === null ? {} : { remember: row.remember === 'Yes' ? 'Yes' : 'No' }),
})

/** PostgreSQL takes no NUL characters, and they say nothing. */
const storable = (text: string | undefined) => text?.replaceAll('\0', '') ?? null

export function createContactStore(database: Database): ContactStore {
  const appliedChanges = createAppliedChanges()
  return {
    add: ({ brandId, atMs, topic, email, discord, youtube_url, message, remember, change_id }) =>
      database.write(async (queries) => {
        if (change_id !== undefined && (await appliedChanges.remember(queries, NOBODY, [change_id], atMs)).length === 0) return
        await queries
          .insertInto('contacts')
          .values({
            brand_id: brandId,
            created: atMs,
            topic,
            email: storable(email),
            discord: storable(discord),
            youtube_url: storable(youtube_url),
            message: storable(message),
            remember: remember ?? null,
          })
          .execute()
      }),
    all: async ({ limit, offset }) => {
      const rows = await database.queries
        .selectFrom('contacts')
        .selectAll()
        .orderBy('created', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .offset(offset)
        .execute()
      return rows.map((row) => ({
        ...filledIn(row),
        id: String(row.id),
        brand: row.brand_id,
        created: new Date(row.created).toISOString(),
      }))
    },
  }
}
