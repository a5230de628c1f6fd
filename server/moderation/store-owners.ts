import { insertMail, type Mail } from '../mail/store.ts'
import type { Database, Queries } from '../storage/database.ts'
import type { Tables } from '../storage/schema.ts'
import { type ActionOutcome, type ActOptions, insertAction } from './store-actions.ts'

/** Composes the mail to the owner of the changed content. */
export type ComposeMail = (to: string) => Mail

/** A change of an account's content by an admin. Without `composeMail`, no mail is sent to the owner. */
export interface OwnedActOptions extends ActOptions {
  composeMail?: ComposeMail | undefined
}

/** The data that was read before a change, and the function that carries out the change; `write` is missing if there is nothing to change. */
export interface PreparedChange {
  outcome: ActionOutcome
  write?: (queries: Queries) => Promise<void>
}

export const UNKNOWN_TARGET: PreparedChange = { outcome: { kind: 'unknown' } }

/** Returns the email address to which an account's mails go; undefined if none is verified or known, as with accounts of a Firebase project. */
export async function findAddress(queries: Queries, uid: string): Promise<string | undefined> {
  const accountRow = await queries.selectFrom('accounts').select(['email', 'email_verified']).where('uid', '=', uid).executeTakeFirst()
  if (accountRow !== undefined) return accountRow.email_verified === 1 ? accountRow.email : undefined
  const website = await queries.selectFrom('websites').select('email').where('uid', '=', uid).executeTakeFirst()
  return website?.email || undefined
}

type UidTable = { [T in keyof Tables]: Tables[T] extends { uid: string } ? T : never }[keyof Tables]

/** Counts the rows of an account. */
export async function countRows(queries: Queries, tableName: UidTable, uid: string): Promise<number> {
  const { n } = await queries
    .selectFrom(tableName)
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('uid', '=', uid)
    .executeTakeFirstOrThrow()
  return Number(n)
}

/**
 * Returns a function that carries out a change in one transaction. With `isDryRun`, the function changes nothing, and returns the result that the
 * change would have.
 */
export const createChangeRunner =
  (database: Database) =>
  async (prepareChange: (queries: Queries) => Promise<PreparedChange>, isDryRun: boolean): Promise<ActionOutcome> => {
    const preparedChange = await prepareChange(database.queries)
    if (isDryRun || preparedChange.write === undefined) return preparedChange.outcome
    return database.writeWithRevision(async (queries) => {
      const { outcome, write } = await prepareChange(queries)
      await write?.(queries)
      return outcome
    })
  }

/** Stores the mail to the owner and the recorded action, in the transaction of the change. */
export async function storeActionAndOwnerMail(
  queries: Queries,
  { act, composeMail }: OwnedActOptions,
  ownerAddress: string | undefined,
  actionEntry: { target: string; outcome: string },
) {
  const ownerMail = ownerAddress === undefined ? undefined : composeMail?.(ownerAddress)
  if (ownerMail !== undefined) await insertMail(queries, ownerMail, act.atMs)
  const note = composeMail === undefined || ownerMail !== undefined ? '' : ', no address to mail to'
  await insertAction(queries, act, { ...actionEntry, outcome: actionEntry.outcome + note })
}

/** Returns the number of mails that a change sends to the address of an owner. */
export const countOwnerMails = (to: string | undefined, { composeMail }: OwnedActOptions) => ({
  mails: to === undefined || composeMail === undefined ? 0 : 1,
})
