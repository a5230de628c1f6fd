import { sql } from 'kysely'
import type { Dialect, Queries, TextSearch } from '../database.ts'
import { indexTokens, needsCheck, wordTokens } from '../search-tokens.ts'
import type { CatalogueSchema } from '../tables.ts'
import type { SqliteConnection } from './sqlite-connection.ts'

/** The rows that are tried newest (or oldest) first before all matches are gathered and sorted by date. */
const DATE_PROBE_ROWS = 5_000
const INDEX_CHUNK_ROWS = 5_000

/** The words' tokens, one column for titles and one for authors. The rowid is the song's rank, so matches come in title order. */
export const searchTable = (schema: CatalogueSchema) =>
  `create virtual table ${schema}.song_tokens using fts5(title, author, content='', detail=column, columnsize=0, tokenize="ascii tokenchars '_'")`

/** Fills `catalogue_next.song_tokens` in chunks, letting other work in this process go on between them. */
export async function indexSongs(connection: SqliteConnection, songCount: number): Promise<void> {
  connection.handle.function('index_tokens', { deterministic: true }, (folded) => indexTokens(String(folded)))
  // The larger the part that is sorted in memory, the fewer parts are left to be merged and read.
  connection.handle.exec("insert into catalogue_next.song_tokens (song_tokens, rank) values ('hashsize', 33554432)")
  const insert = connection.handle.prepare(`
    insert into catalogue_next.song_tokens (rowid, title, author)
    select rank, index_tokens(title_folded), index_tokens(author_folded) from catalogue_next.songs where rank between ? and ?`)
  for (let first = 1; first <= songCount; first += INDEX_CHUNK_ROWS) {
    insert.run(first, first + INDEX_CHUNK_ROWS - 1)
    await new Promise<void>((next) => setImmediate(next))
  }
}

/** An FTS5 expression that says: every one of these tokens. They hold letters, digits and `_` only, quoted all the same. */
function tokenMatch(search: TextSearch): string {
  const tokens = [...new Set(search.words.flatMap(wordTokens))].map((token) => `"${token}"`).join(' AND ')
  return search.artistOnly ? `author : (${tokens})` : tokens
}

function textCheck(search: TextSearch, words: readonly string[]) {
  const parts = words.map((word) =>
    search.artistOnly
      ? sql`instr(s.author_folded, ${word}) > 0`
      : sql`(instr(s.title_folded, ${word}) > 0 or instr(s.author_folded, ${word}) > 0)`,
  )
  if (search.exceptAuthor !== undefined) parts.push(sql`s.author_folded <> ${search.exceptAuthor}`)
  return parts.length === 0 ? sql`true` : sql.join(parts, sql` and `)
}

/** As `textCheck`, but for rows that no index has narrowed down: short words count at the start of words only. */
function wholeCheck(search: TextSearch) {
  const parts = search.words.map((word) => {
    const short = [...word].length < 3
    const inAuthor = short ? sql`instr(' ' || s.author_folded, ${` ${word}`}) > 0` : sql`instr(s.author_folded, ${word}) > 0`
    const inTitle = short ? sql`instr(' ' || s.title_folded, ${` ${word}`}) > 0` : sql`instr(s.title_folded, ${word}) > 0`
    return search.artistOnly ? inAuthor : sql`(${inTitle} or ${inAuthor})`
  })
  if (search.exceptAuthor !== undefined) parts.push(sql`s.author_folded <> ${search.exceptAuthor}`)
  return sql.join(parts, sql` and `)
}

async function byTitle(queries: Queries, search: TextSearch): Promise<number[]> {
  const checked = search.words.filter(needsCheck)
  const direction = sql.raw(search.direction)
  const query =
    checked.length === 0 && search.exceptAuthor === undefined
      ? sql<{ rank: number }>`
          select rowid as rank from catalogue.song_tokens where song_tokens match ${tokenMatch(search)}
          order by rowid ${direction} limit ${search.limit} offset ${search.offset}`
      : sql<{ rank: number }>`
          select f.rowid as rank from catalogue.song_tokens f cross join catalogue.songs s on s.rank = f.rowid
          where f.song_tokens match ${tokenMatch(search)} and ${textCheck(search, checked)}
          order by f.rowid ${direction} limit ${search.limit} offset ${search.offset}`
  const { rows } = await query.execute(queries)
  return rows.map((row) => row.rank)
}

/**
 * The index is in title order. A common word is found among the newest rows at once; for one that is not, there are few
 * matches, and sorting them is quick.
 */
async function byDate(queries: Queries, search: TextSearch): Promise<number[]> {
  const direction = sql.raw(search.direction)
  const probed = await sql<{ rank: number }>`
    select s.rank from (
      select rank, title_folded, author_folded, date_added from catalogue.songs
      order by date_added ${direction}, rank ${direction} limit ${DATE_PROBE_ROWS}) s
    where ${wholeCheck(search)}
    order by s.date_added ${direction}, s.rank ${direction} limit ${search.limit} offset ${search.offset}`.execute(queries)
  if (probed.rows.length === search.limit) return probed.rows.map((row) => row.rank)
  const { rows } = await sql<{ rank: number }>`
    select s.rank from catalogue.song_tokens f cross join catalogue.songs s on s.rank = f.rowid
    where f.song_tokens match ${tokenMatch(search)} and ${textCheck(search, search.words.filter(needsCheck))}
    order by s.date_added ${direction}, s.rank ${direction} limit ${search.limit} offset ${search.offset}`.execute(queries)
  return rows.map((row) => row.rank)
}

export const sqliteDialect: Dialect = {
  searchRanks: (queries, search) => (search.orderBy === 'title' ? byTitle(queries, search) : byDate(queries, search)),
}
