import { expressionBuilder } from 'kysely'
import type { ContactRequest } from '../../contract/contact.ts'
import { ANONYMOUS, rememberChanges } from '../storage/applied-changes.ts'
import type { Database, Queries } from '../storage/database.ts'
import type { ContactStore } from '../storage/interfaces/contacts.ts'
import type { RoleHolder } from '../storage/interfaces/roles.ts'
import { insertMail, mailStateOf } from '../mail/store.ts'
import type { ContactsTable, Tables } from '../storage/schema.ts'

const DAY_MS = 86_400_000
/** Number of messages that are stored in 24 hours: of visitors without an account, and of accounts. */
export const CONTACTS_PER_DAY = 500

type ContactRow = Omit<ContactsTable, 'id'> & { id: number }

/**
 * Converts a row to a contact request without the fields that are null. The casts are safe because `add` stores validated requests only.
 */
const contactRequestOf = (row: ContactRow): ContactRequest => ({
  topic: row.topic as ContactRequest['topic'],
  ...(row.email === null ? {} : { email: row.email }),
  ...(row.discord === null ? {} : { discord: row.discord }),
  ...(row.youtube_url === null ? {} : { youtube_url: row.youtube_url }),
  ...(row.message === null ? {} : { message: row.message }),
  ...(row.remember === null ? {} : { remember: row.remember === 'Yes' ? 'Yes' : 'No' }),
})

/** Removes NUL characters, which PostgreSQL does not store in text columns. */
const removeNul = (text: string | undefined) => text?.replaceAll('\0', '') ?? null

/** The condition that an account sent a message, or that the message gives its verified address and names no account. */
function sentBy({ uid, verifiedEmail }: RoleHolder) {
  const eb = expressionBuilder<Tables, 'contacts'>()
  return eb.or([
    eb('contacts.uid', '=', uid),
    ...(verifiedEmail === undefined
      ? []
      : [eb('contacts.uid', 'is', null).and(eb.fn<string>('lower', ['contacts.email']), '=', verifiedEmail)]),
  ])
}

/** Deletes the messages of an account, and the mails about them. */
export async function deleteContacts(queries: Queries, holder: RoleHolder): Promise<void> {
  await queries
    .deleteFrom('mails')
    .where('contact_id', 'in', queries.selectFrom('contacts').select('id').where(sentBy(holder)))
    .execute()
  await queries.deleteFrom('contacts').where(sentBy(holder)).execute()
}

export function createContactStore(database: Database): ContactStore {
  return {
    add: ({ brandId, atMs, uid, topic, email, discord, youtube_url, message, remember, change_id }, mail) =>
      database.write(async (queries) => {
        const { count } = await queries
          .selectFrom('contacts')
          .select((eb) => eb.fn.countAll<number>().as('count'))
          .where('created', '>', atMs - DAY_MS)
          .where('uid', uid === undefined ? 'is' : 'is not', null)
          .executeTakeFirstOrThrow()
        if (count >= CONTACTS_PER_DAY) return false
        if (change_id !== undefined && (await rememberChanges(queries, ANONYMOUS, [change_id], atMs)).length === 0) return true
        const { id } = await queries
          .insertInto('contacts')
          .values({
            brand_id: brandId,
            created: atMs,
            topic,
            email: removeNul(email),
            discord: removeNul(discord),
            youtube_url: removeNul(youtube_url),
            message: removeNul(message),
            remember: remember ?? null,
            uid: uid ?? null,
          })
          .returning('id')
          .executeTakeFirstOrThrow()
        if (mail !== undefined) await insertMail(queries, mail, atMs, Number(id))
        return true
      }),
    list: async ({ limit, offset }) => {
      const rows = await database.queries
        .selectFrom('contacts')
        .leftJoin('mails', 'mails.contact_id', 'contacts.id')
        .selectAll('contacts')
        .select(['mails.id as mail_id', 'due', 'sent', 'failure'])
        .orderBy('contacts.created', 'desc')
        .orderBy('contacts.id', 'desc')
        .limit(limit)
        .offset(offset)
        .execute()
      return rows.map((row) => ({
        ...contactRequestOf(row),
        id: String(row.id),
        brand: row.brand_id,
        created: new Date(row.created).toISOString(),
        ...(row.mail_id === null ? {} : { mail: mailStateOf(row) }),
      }))
    },
    listOf: async (holder) =>
      (
        await database.queries
          .selectFrom('contacts')
          .selectAll()
          .where(sentBy(holder))
          .orderBy('created', 'desc')
          .orderBy('id', 'desc')
          .execute()
      ).map((row) => ({ ...contactRequestOf(row), created: new Date(row.created).toISOString() })),
    deleteAll: (holder) => database.write((queries) => deleteContacts(queries, holder)),
  }
}
