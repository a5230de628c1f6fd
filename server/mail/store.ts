import { randomUUID } from 'node:crypto'
import type { Database, Queries } from '../storage/database.ts'
import type { Mail, MailOutcome, MailState, MailStore } from '../storage/interfaces/mails.ts'
import type { MailsTable } from '../storage/schema.ts'

/** Stores a mail, in the transaction of what it is about. */
export async function insertMail(queries: Queries, mail: Mail, atMs: number, contactId: number | null = null): Promise<void> {
  await queries
    .insertInto('mails')
    .values({
      id: randomUUID(),
      contact_id: contactId,
      recipient: mail.to,
      reply_to: mail.replyTo ?? null,
      subject: mail.subject,
      body: mail.text,
      link: mail.link ?? null,
      created: atMs,
      expires: mail.expiresMs,
      attempts: 0,
      due: atMs,
      sent: null,
      failure: null,
    })
    .execute()
}

export function mailStateOf({ due, sent, failure }: Pick<MailsTable, 'due' | 'sent' | 'failure'>): MailState {
  if (sent !== null) return { kind: 'sent', sent: new Date(sent).toISOString() }
  return { kind: due === null ? 'failed' : 'waiting', ...(failure === null ? {} : { failure }) }
}

function columnsAfter(outcome: MailOutcome) {
  const settled = { due: null, body: '', link: null }
  if (outcome.kind === 'sent') return { ...settled, sent: outcome.atMs, failure: null }
  if (outcome.kind === 'failed') return { ...settled, failure: outcome.reason }
  return { due: outcome.dueMs, failure: outcome.reason }
}

export function createMailStore(database: Database): MailStore {
  return {
    add: (mail, atMs) => database.write((queries) => insertMail(queries, mail, atMs)),
    claim: (atMs, untilMs) =>
      database.write(async (queries) => {
        const row = await queries
          .updateTable('mails')
          .set(({ eb }) => ({ due: untilMs, attempts: eb('attempts', '+', 1) }))
          .where('id', '=', ({ selectFrom }) =>
            selectFrom('mails').select('id').where('due', '<=', atMs).orderBy('expires').orderBy('created').limit(1),
          )
          // PostgreSQL compares again if another process has claimed the row meanwhile.
          .where('due', '<=', atMs)
          .returningAll()
          .executeTakeFirst()
        if (row === undefined) return undefined
        return {
          id: row.id,
          to: row.recipient,
          replyTo: row.reply_to ?? undefined,
          subject: row.subject,
          text: row.body,
          link: row.link ?? undefined,
          createdMs: row.created,
          expiresMs: row.expires,
          attempts: row.attempts,
        }
      }),
    extendClaim: ({ id, attempts }, untilMs) =>
      database.write(async (queries) => {
        await queries
          .updateTable('mails')
          .set({ due: untilMs })
          .where('id', '=', id)
          .where('attempts', '=', attempts)
          .where('due', 'is not', null)
          .execute()
      }),
    settle: ({ id, attempts }, outcome) =>
      database.write(async (queries) => {
        const update = queries.updateTable('mails').set(columnsAfter(outcome)).where('id', '=', id)
        // A mail that was sent is never sent again, whatever a later attempt has begun.
        await (outcome.kind === 'sent' ? update : update.where('attempts', '=', attempts).where('due', 'is not', null)).execute()
      }),
    nextDueMs: async () => {
      const row = await database.queries
        .selectFrom('mails')
        .select('due')
        .where('due', 'is not', null)
        .orderBy('due')
        .limit(1)
        .executeTakeFirst()
      return row?.due ?? undefined
    },
  }
}
