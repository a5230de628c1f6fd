import { sql } from 'kysely'
import type { Database, Queries } from './database.ts'
import { StorageError } from './errors.ts'

/** Pairs of tables, each table with a column: every row of the first table belongs to a row of the second one whose column has the same value. */
const foreignKeys = [
  ['refresh_families', 'uid', 'accounts', 'uid'],
  ['refresh_tokens', 'family_id', 'refresh_families', 'id'],
  ['account_codes', 'uid', 'accounts', 'uid'],
  ['website_names', 'uid', 'websites', 'uid'],
  ['paid_grants', 'group_id', 'payment_groups', 'id'],
  ['catalogue.context_songs', 'context_no', 'catalogue.contexts', 'no'],
  ['catalogue.context_songs', 'song_rank', 'catalogue.songs', 'rank'],
] as const

async function countRowsFrom(queries: Queries, fromClause: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.raw(fromClause)}`.execute(queries)
  return Number(rows[0]?.count ?? 0)
}

/** Compares stored counts with the numbers of rows, and returns the counts that are wrong, one line each. */
async function findContradictions(queries: Queries): Promise<string[]> {
  const problemTexts: string[] = []
  for (const [tableName, columnName, ownerTable, ownerKey] of foreignKeys) {
    const text = `${tableName} t where not exists (select 1 from ${ownerTable} o where o.${ownerKey} = t.${columnName})`
    const count = await countRowsFrom(queries, text)
    if (count > 0) problemTexts.push(`${count} rows of ${tableName} belong to no row of ${ownerTable}`)
  }
  const songCount = await countRowsFrom(queries, 'catalogue.songs')
  const totalsRow = await queries.selectFrom('catalogue.totals').select('songs').executeTakeFirst()
  if (totalsRow?.songs !== songCount) problemTexts.push(`the catalogue counts ${totalsRow?.songs ?? 'no'} songs, but has ${songCount}`)
  const miscountedPlaylistCount = await countRowsFrom(
    queries,
    'catalogue.contexts c where c.song_count <> (select count(*) from catalogue.context_songs s where s.context_no = c.no)',
  )
  if (miscountedPlaylistCount > 0)
    problemTexts.push(`${miscountedPlaylistCount} playlists or categories have another number of songs than they count`)
  return problemTexts
}

/** Checks the database and its catalogue, and returns a list of problems, one line each. */
export async function findProblems(database: Database): Promise<string[]> {
  const damageTexts = await database.findDamage()
  try {
    return [...damageTexts, ...(await findContradictions(database.queries))]
  } catch (error) {
    if (!(error instanceof StorageError)) throw error
    // If damage was found, it is the cause of the failed query, so only the damage is returned.
    return damageTexts.length > 0 ? damageTexts : [error.message]
  }
}
