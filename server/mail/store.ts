import { randomUUID } from 'node:crypto'
import { DAY_MS } from '../durations.ts'
import type { Database, Queries, SqlTypes } from '../storage/database.ts'

/**
 * The mails in the queue, and those that were sent or given up. `due` is the time of the next attempt; during an attempt, it is the end of its claim;
 * when the mail was sent or given up, it is null. `failure` is the reason of the last failed attempt. When the mail is sent or given up, its body and
 * link are emptied, because they may contain a code.
 */
interface MailsTable {
  id: string
  contact_id: number | null
  recipient: string
  reply_to: string | null
  subject: string
  body: string
  link: string | null
  /** The name of the sender, and the label of the link's button; null in mails of earlier versions. */
  sender: string | null
  action: string | null
  created: number
  expires: number
  attempts: number
  due: number | null
  sent: number | null
  failure: string | null
}

declare module '../storage/schema.ts' {
  interface Tables {
    mails: MailsTable
  }
}

export const createMailsTable = ({ text }: SqlTypes): string[] => [
  `create table mails (
    id ${text} primary key, contact_id bigint, recipient ${text} not null, reply_to ${text}, subject ${text} not null, body ${text} not null,
    link ${text}, created bigint not null, expires bigint not null, attempts integer not null, due bigint, sent bigint,
    failure ${text})`,
  'create index mails_by_due on mails (due) where due is not null',
  'create index mails_by_contact on mails (contact_id) where contact_id is not null',
  'create index mails_by_time on mails (created)',
]

/** Adds the name of the sender, and the label of the link's button. */
export const addMailSenderAndLinkLabelColumns = ({ text }: SqlTypes): string[] => [
  `alter table mails add column sender ${text}`,
  `alter table mails add column action ${text}`,
]

export interface Mail {
  to: string
  /** The name of the sender, on one line, which is the name of the site. */
  sender?: string | undefined
  /** The email address to which replies go, in place of the site's own address. */
  replyTo?: string | undefined
  subject: string
  text: string
  /** The link in the mail's text. It is logged if mails are written to files, because an administrator has to pass it on. */
  link?: string | undefined
  /** The label of the link's button in the HTML. The link is a paragraph of the text. */
  action?: string | undefined
  /** The time in epoch milliseconds from which the mail is useless, for instance because its code has expired. */
  expiresMs: number
}

/** A mail that a process has claimed for one attempt. */
export interface ClaimedMail extends Mail {
  /** A UUID, which is the same in every attempt. */
  id: string
  createdMs: number
  /** The number of attempts to send the mail, including the current one. */
  attempts: number
}

/** The id of the claim, which is different for each attempt. */
export type MailClaim = Pick<ClaimedMail, 'id' | 'attempts'>

export type MailOutcome =
  | { kind: 'sent'; atMs: number }
  /** The attempt failed; the next one is due at `dueMs`. */
  | { kind: 'postponed'; dueMs: number; reason: string }
  /** The mail is given up; no further attempt is made. */
  | { kind: 'failed'; reason: string }

/** The state of a mail's delivery. */
export interface MailState {
  kind: 'waiting' | 'sent' | 'failed'
  /** The time when the mail was sent, in ISO 8601 UTC. */
  sent?: string
  /** The reason of the last failed attempt. */
  failure?: string
}

/** Stores a mail in the same transaction as the row that the mail is about. */
export async function insertMail(queries: Queries, mail: Mail, queuedAtMs: number, contactId: number | null = null): Promise<void> {
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
      sender: mail.sender ?? null,
      action: mail.action ?? null,
      created: queuedAtMs,
      expires: mail.expiresMs,
      attempts: 0,
      due: queuedAtMs,
      sent: null,
      failure: null,
    })
    .execute()
}

/** Mails that were sent or given up are deleted after this time, which the privacy policies state. */
const SETTLED_MAIL_RETENTION_MS = 30 * DAY_MS

export async function deleteSettledMails(queries: Queries, nowMs: number): Promise<void> {
  await queries
    .deleteFrom('mails')
    .where('created', '<', nowMs - SETTLED_MAIL_RETENTION_MS)
    .where('due', 'is', null)
    .execute()
}

export function toMailState({ due, sent, failure }: Pick<MailsTable, 'due' | 'sent' | 'failure'>): MailState {
  if (sent !== null) return { kind: 'sent', sent: new Date(sent).toISOString() }
  return { kind: due === null ? 'failed' : 'waiting', ...(failure === null ? {} : { failure }) }
}

function createColumnsAfterOutcome(outcome: MailOutcome) {
  const settledColumns = { due: null, body: '', link: null }
  if (outcome.kind === 'sent') return { ...settledColumns, sent: outcome.atMs, failure: null }
  if (outcome.kind === 'failed') return { ...settledColumns, failure: outcome.reason }
  return { due: outcome.dueMs, failure: outcome.reason }
}

/** The queue of mails, which every process of the site shares. */
export function createMailStore(database: Database) {
  return {
    /** Stores a mail, which is due immediately. */
    add: (mail: Mail, atMs: number): Promise<void> => database.write((queries) => insertMail(queries, mail, atMs)),
    /** Claims the due mail that expires first. No other process can claim this mail until `untilMs`. */
    claim: (nowMs: number, untilMs: number): Promise<ClaimedMail | undefined> =>
      database.write(async (queries) => {
        const mailRow = await queries
          .updateTable('mails')
          .set(({ eb }) => ({ due: untilMs, attempts: eb('attempts', '+', 1) }))
          .where('id', '=', ({ selectFrom }) =>
            selectFrom('mails').select('id').where('due', '<=', nowMs).orderBy('expires').orderBy('created').limit(1),
          )
          // If another process has claimed the row since the selection, PostgreSQL evaluates this condition again, which then fails.
          .where('due', '<=', nowMs)
          .returningAll()
          .executeTakeFirst()
        if (mailRow === undefined) return undefined
        return {
          id: mailRow.id,
          to: mailRow.recipient,
          replyTo: mailRow.reply_to ?? undefined,
          subject: mailRow.subject,
          text: mailRow.body,
          link: mailRow.link ?? undefined,
          sender: mailRow.sender ?? undefined,
          action: mailRow.action ?? undefined,
          createdMs: mailRow.created,
          expiresMs: mailRow.expires,
          attempts: mailRow.attempts,
        }
      }),
    /** Extends a claim. Does nothing if the claim has expired and another attempt has begun. */
    extendClaim: ({ id, attempts }: MailClaim, untilMs: number): Promise<void> =>
      database.write(async (queries) => {
        await queries
          .updateTable('mails')
          .set({ due: untilMs })
          .where('id', '=', id)
          .where('attempts', '=', attempts)
          .where('due', 'is not', null)
          .execute()
      }),
    /** Ends a claim and stores its outcome. If another attempt has begun since, only the outcome that the mail was sent is stored. */
    settle: ({ id, attempts }: MailClaim, outcome: MailOutcome): Promise<void> =>
      database.write(async (queries) => {
        const update = queries.updateTable('mails').set(createColumnsAfterOutcome(outcome)).where('id', '=', id)
        // A sent mail is never sent again, even if a later attempt has begun.
        await (outcome.kind === 'sent' ? update : update.where('attempts', '=', attempts).where('due', 'is not', null)).execute()
      }),
    /**
     * Returns the number of mails that are neither sent nor given up.
     */
    countWaiting: async (): Promise<number> => {
      const { count } = await database.queries
        .selectFrom('mails')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('due', 'is not', null)
        .executeTakeFirstOrThrow()
      return Number(count)
    },

    /** Returns the earliest time at which an attempt to send a mail is due, in epoch milliseconds; undefined if no mail is waiting. */
    nextDueMs: async (): Promise<number | undefined> => {
      const mailRow = await database.queries
        .selectFrom('mails')
        .select('due')
        .where('due', 'is not', null)
        .orderBy('due')
        .limit(1)
        .executeTakeFirst()
      return mailRow?.due ?? undefined
    },
  }
}
export type MailStore = ReturnType<typeof createMailStore>
