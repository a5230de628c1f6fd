import { expressionBuilder, type Generated } from 'kysely'
import type { ContactRequest, SentMessage } from '../../contract/contact.ts'
import { DAY_MS } from '../durations.ts'
import type { RoleHolder } from '../identity/store-roles.ts'
import { insertMail, type Mail, type MailState, toMailState } from '../mail/store.ts'
import { ANONYMOUS, storeNewChangeIds } from '../storage/applied-changes.ts'
import type { Database, Queries, SqlTypes } from '../storage/database.ts'
import type { Pagination } from '../storage/pagination.ts'
import type { Tables } from '../storage/schema.ts'
import { listEmailSpellings } from '../text/email-spellings.ts'

interface ContactsTable {
  id: Generated<number>
  brand_id: string
  created: number
  topic: string
  email: string | null
  discord: string | null
  youtube_url: string | null
  message: string | null
  remember: string | null
  /** The uid of the account that sent the message; null if the sender was not signed in. */
  uid: string | null
}

declare module '../storage/schema.ts' {
  interface Tables {
    contacts: ContactsTable
  }
}

/** Adds a column with the uid of the account that sent the message. */
export const addContactSenderColumn = ({ text }: SqlTypes): string[] => [`alter table contacts add column uid ${text}`]

/** A stored message of the contact form. */
export type ContactMessage = ContactRequest & {
  id: string
  /** The id of the brand whose contact form was used. */
  brand: string
  /** The time when the message was sent, in ISO 8601 UTC. */
  created: string
  /** The state of the mail to the team; missing if none was to be sent, or if its record was deleted. */
  mail?: MailState
}

/** Maximum number of messages that are stored in 24 hours from visitors without an account, and likewise from accounts. */
export const CONTACTS_PER_DAY = 500

type ContactRow = Omit<ContactsTable, 'id'> & { id: number }

/** Converts a row to a contact request without the fields that are null. The casts are safe because `add` stores validated requests only. */
const toContactRequest = (row: ContactRow): ContactRequest => ({
  topic: row.topic as ContactRequest['topic'],
  ...(row.email === null ? {} : { email: row.email }),
  ...(row.discord === null ? {} : { discord: row.discord }),
  ...(row.youtube_url === null ? {} : { youtube_url: row.youtube_url }),
  ...(row.message === null ? {} : { message: row.message }),
  ...(row.remember === null ? {} : { remember: row.remember === 'Yes' ? 'Yes' : 'No' }),
})

/** Removes NUL characters, which PostgreSQL does not store in text columns. */
const removeNul = (text: string | undefined) => text?.replaceAll('\0', '') ?? null

/** The condition for messages that an account sent, or that were sent without an account but with the account's verified address. */
export function isSentBy({ uid, verifiedEmail }: RoleHolder) {
  const eb = expressionBuilder<Tables, 'contacts'>()
  return eb.or([
    eb('contacts.uid', '=', uid),
    ...(verifiedEmail === undefined
      ? []
      : [eb('contacts.uid', 'is', null).and(eb.fn<string>('lower', ['contacts.email']), 'in', listEmailSpellings(verifiedEmail))]),
  ])
}

/** Deletes the messages of an account, and the mails about them. */
export async function deleteContacts(queries: Queries, holder: RoleHolder): Promise<void> {
  await queries
    .deleteFrom('mails')
    .where('contact_id', 'in', queries.selectFrom('contacts').select('id').where(isSentBy(holder)))
    .execute()
  await queries.deleteFrom('contacts').where(isSentBy(holder)).execute()
}

/** The time after which a message is deleted. The privacy policies state it. */
const CONTACT_RETENTION_MS = 730 * DAY_MS

export async function deleteOldContacts(queries: Queries, nowMs: number): Promise<void> {
  await queries
    .deleteFrom('contacts')
    .where('created', '<', nowMs - CONTACT_RETENTION_MS)
    .execute()
}

export function createContactStore(database: Database) {
  return {
    /**
     * Stores a message and the mail to the team about it, both or none. A message whose `change_id` was already stored is ignored. Returns false if the
     * limit of messages in 24 hours is reached.
     */
    add: (
      {
        brandId,
        atMs,
        uid,
        topic,
        email,
        discord,
        youtube_url,
        message,
        remember,
        change_id,
      }: ContactRequest & { brandId: string; atMs: number; uid?: string },
      mail?: Mail,
    ): Promise<boolean> =>
      database.write(async (queries) => {
        const { count } = await queries
          .selectFrom('contacts')
          .select((eb) => eb.fn.countAll<number>().as('count'))
          .where('created', '>', atMs - DAY_MS)
          .where('uid', uid === undefined ? 'is' : 'is not', null)
          .executeTakeFirstOrThrow()
        if (count >= CONTACTS_PER_DAY) return false
        if (change_id !== undefined && (await storeNewChangeIds(queries, ANONYMOUS, [change_id], atMs)).length === 0) return true
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
    /** Lists the messages, newest first. */
    list: async ({ limit, offset }: Pagination): Promise<ContactMessage[]> => {
      const messageRows = await database.queries
        .selectFrom('contacts')
        .leftJoin('mails', 'mails.contact_id', 'contacts.id')
        .selectAll('contacts')
        .select(['mails.id as mail_id', 'due', 'sent', 'failure'])
        .orderBy('contacts.created', 'desc')
        .orderBy('contacts.id', 'desc')
        .limit(limit)
        .offset(offset)
        .execute()
      return messageRows.map((messageRow) => ({
        ...toContactRequest(messageRow),
        id: String(messageRow.id),
        brand: messageRow.brand_id,
        created: new Date(messageRow.created).toISOString(),
        ...(messageRow.mail_id === null ? {} : { mail: toMailState(messageRow) }),
      }))
    },
    /** Lists the messages that an account sent, or that anybody sent with the account's verified address and without an account, newest first. */
    listOf: async (holder: RoleHolder, messageFilter?: { topic: ContactRequest['topic']; limit: number }): Promise<SentMessage[]> =>
      (
        await database.queries
          .selectFrom('contacts')
          .selectAll()
          .where(isSentBy(holder))
          .$if(messageFilter !== undefined, (query) =>
            query.where('topic', '=', messageFilter?.topic ?? '').limit(messageFilter?.limit ?? 0),
          )
          .orderBy('created', 'desc')
          .orderBy('id', 'desc')
          .execute()
      ).map((row) => ({ ...toContactRequest(row), created: new Date(row.created).toISOString() })),
  }
}
export type ContactStore = ReturnType<typeof createContactStore>
