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

async function countOf(queries: Queries, text: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.raw(text)}`.execute(queries)
  return Number(rows[0]?.count ?? 0)
}

/** Compares stored counts with the numbers of rows, and returns the counts that are wrong, one line each. */
async function findContradictions(queries: Queries): Promise<string[]> {
  const problems: string[] = []
  for (const [table, column, owner, key] of foreignKeys) {
    const text = `${table} t where not exists (select 1 from ${owner} o where o.${key} = t.${column})`
    const count = await countOf(queries, text)
    if (count > 0) problems.push(`${count} rows of ${table} belong to no row of ${owner}`)
  }
  const songCount = await countOf(queries, 'catalogue.songs')
  const totals = await queries.selectFrom('catalogue.totals').select('songs').executeTakeFirst()
  if (totals?.songs !== songCount) problems.push(`the catalogue counts ${totals?.songs ?? 'no'} songs, but has ${songCount}`)
  const miscountedPlaylistCount = await countOf(
    queries,
    'catalogue.contexts c where c.song_count <> (select count(*) from catalogue.context_songs s where s.context_no = c.no)',
  )
  if (miscountedPlaylistCount > 0)
    problems.push(`${miscountedPlaylistCount} playlists or categories have another number of songs than they count`)
  return problems
}

/** Checks the database and its catalogue, and returns a list of problems, one line each. */
export async function findProblems(database: Database): Promise<string[]> {
  const damages = await database.findDamage()
  try {
    return [...damages, ...(await findContradictions(database.queries))]
  } catch (error) {
    if (!(error instanceof StorageError)) throw error
    // If damage was found, it is the cause of the failed query, so only the damage is returned.
    return damages.length > 0 ? damages : [error.message]
  }
}
