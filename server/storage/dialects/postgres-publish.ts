import { sql } from 'kysely'
import type { Queries } from '../database.ts'

/** The name of the replaced catalogue until it is deleted. */
export const REPLACED_SCHEMA = 'catalogue_old'
/** PostgreSQL looks for deadlocks after 1 s by default. A shorter wait ends before it could end the transaction of a reader instead. */
const DELETION_LOCK_TIMEOUT_MS = 500
const DUMP_POLL_MS = 500

/**
 * Waits until no other program reads all tables, as pg_dump does, which finds them by name after it has chosen its snapshot. A renamed schema would be
 * empty in it. Such a program is known by its lock of `migrations`, which is otherwise read only by processes that migrate. These are left out, because they
 * may wait for this transaction.
 */
async function waitForDumps(queries: Queries, migrationLockId: number): Promise<void> {
  for (;;) {
    const { rows } = await sql`
      select 1 from pg_locks dump where locktype = 'relation' and relation = 'migrations'::regclass and mode = 'AccessShareLock' and granted
        and database = (select oid from pg_database where datname = current_database()) and pid <> pg_backend_pid()
        and not exists (select 1 from pg_locks other where other.pid = dump.pid and other.locktype = 'advisory' and other.objid = ${migrationLockId}::bigint::oid)`.execute(
      queries,
    )
    if (rows.length === 0) return
    await new Promise((resolve) => setTimeout(resolve, DUMP_POLL_MS))
  }
}

/**
 * Waits until no backup and no dump reads the database, in a transaction that has not changed any row that others change. Backups that begin later
 * wait until its end.
 */
export async function waitForBackups(queries: Queries, migrationLockId: number): Promise<void> {
  await sql`lock table migrations in row exclusive mode`.execute(queries)
  await waitForDumps(queries, migrationLockId)
}

/**
 * Replaces `catalogue` with `catalogue_next` at the end of a transaction. Schemas are renamed, because this waits for no reader: to delete tables that are
 * read would need locks that stop all readers, and that could form a deadlock with them.
 */
export const swapCatalogueSql = [`alter schema catalogue rename to ${REPLACED_SCHEMA}`, 'alter schema catalogue_next rename to catalogue']

/** Deletes the replaced catalogue in a transaction of its own. If it is still read, it remains, and the next import deletes it. */
export async function deleteReplacedCatalogue(runStatements: (statements: readonly string[]) => Promise<void>): Promise<void> {
  try {
    await runStatements([
      'begin',
      `set local lock_timeout = ${DELETION_LOCK_TIMEOUT_MS}`,
      'set local client_min_messages = warning',
      `drop schema if exists ${REPLACED_SCHEMA} cascade`,
      'commit',
    ])
  } catch {
    // The catalogue is published, even if this connection has failed meanwhile.
    await runStatements(['rollback']).catch(() => {})
  }
}
