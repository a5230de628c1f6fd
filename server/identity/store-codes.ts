import { DAY_MS } from '../durations.ts'
import type { Database, Queries } from '../storage/database.ts'

/** One-time codes sent by mail; at most one of each kind per account. Only hashes are stored. */
interface AccountCodesTable {
  uid: string
  kind: string
  hash: string
  expires: number
}

declare module '../storage/schema.ts' {
  interface Tables {
    account_codes: AccountCodesTable
  }
}

/** Purpose of a one-time code sent by e-mail: password reset or address verification. */
export type CodeKind = 'reset' | 'verify'

export interface AccountCode {
  uid: string
  kind: CodeKind
  email: string
  expiresMs: number
}

export interface NewAccountCode {
  uid: string
  kind: CodeKind
  hash: string
  expiresMs: number
  atMs: number
}

/** The time in milliseconds for which expired codes remain stored, so that an expired link can be distinguished from an invalid one. */
const EXPIRED_CODE_RETENTION_MS = 7 * DAY_MS

/** Deletes a valid code and returns its uid. Of concurrent calls only one gets the uid. */
export async function consumeCode(
  queries: Queries,
  codeHash: string,
  kind: CodeKind,
  atMs: number,
  ownerUid?: string,
): Promise<string | undefined> {
  const consumedCode = await queries
    .deleteFrom('account_codes')
    .where('hash', '=', codeHash)
    .where('kind', '=', kind)
    .where('expires', '>', atMs)
    .$if(ownerUid !== undefined, (query) => query.where('uid', '=', ownerUid ?? ''))
    .returning('uid')
    .executeTakeFirst()
  return consumedCode?.uid
}

export function createCodeStore(database: Database) {
  return {
    /** Stores a one-time code. It replaces an earlier code of the same account and kind. */
    replaceCode: ({ uid, kind, hash, expiresMs, atMs }: NewAccountCode): Promise<void> =>
      database.write(async (queries) => {
        await queries
          .deleteFrom('account_codes')
          .where('expires', '<', atMs - EXPIRED_CODE_RETENTION_MS)
          .execute()
        await queries
          .insertInto('account_codes')
          .values({ uid, kind, hash, expires: expiresMs })
          .onConflict((conflict) => conflict.columns(['uid', 'kind']).doUpdateSet({ hash, expires: expiresMs }))
          .execute()
      }),
    /** Returns the code of an account and kind. */
    codeOf: async (uid: string, kind: CodeKind): Promise<{ hash: string; expiresMs: number } | undefined> => {
      const code = database.queries.selectFrom('account_codes').select(['hash', 'expires']).where('uid', '=', uid).where('kind', '=', kind)
      const row = await code.executeTakeFirst()
      return row === undefined ? undefined : { hash: row.hash, expiresMs: row.expires }
    },
    /** Finds a one-time code by its hash. Expired codes are found too. */
    findCode: async (codeHash: string): Promise<AccountCode | undefined> => {
      const codeRow = await database.queries
        .selectFrom('account_codes')
        .innerJoin('accounts', 'accounts.uid', 'account_codes.uid')
        .select(['account_codes.uid', 'kind', 'expires', 'email'])
        .where('hash', '=', codeHash)
        .executeTakeFirst()
      if (codeRow === undefined) return undefined
      return { uid: codeRow.uid, kind: codeRow.kind === 'reset' ? 'reset' : 'verify', email: codeRow.email, expiresMs: codeRow.expires }
    },
  }
}
