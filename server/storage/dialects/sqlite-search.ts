import { sql } from 'kysely'
import type { Dialect, Queries, TextSearch } from '../database.ts'
import { indexTokens, needsCheck, wordTokens } from '../search-tokens.ts'
import type { CatalogueSchema } from '../tables.ts'
import type { SqliteConnection } from './sqlite-connection.ts'

/** The rows that are tried newest (or oldest) first: so few that it costs nothing, and as many as a word that is not rare may take. */
const DATE_PROBE_ROWS = { first: 500, second: 20_000 }
/** So many matches are gathered and sorted by date; a word with more of them is common enough to be met on the way. */
const GATHERED_ROWS = 3_000
/** So many authors are looked up one by one; a word that more of them have is common enough to be met on the way. */
const LISTED_AUTHORS = 200
/** Raised whenever what a build holds beside its songs and playlists changes; older builds are built anew when they are opened. */
export const BUILD_FORMAT = 1
const INDEX_CHUNK_ROWS = 5_000

/**
 * The words' tokens: of songs, one column for titles and one for authors, the rowid being the song's rank, so that matches
 * come in title order; and of the authors alone, who are fewer.
 */
export const searchTables = (schema: CatalogueSchema) => [
  `create virtual table ${schema}.song_tokens using fts5(title, author, content='', detail=column, columnsize=0, tokenize="ascii tokenchars '_'")`,
  `create table ${schema}.authors (no integer primary key, folded text not null)`,
  `create virtual table ${schema}.author_tokens using fts5(folded, content='', detail=none, columnsize=0, tokenize="ascii tokenchars '_'")`,
  `pragma ${schema}.user_version = ${BUILD_FORMAT}`,
]

/** Fills the search tables of `catalogue_next` in chunks, letting other work in this process go on between them. */
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
  connection.handle.exec(`
    insert into catalogue_next.authors (folded) select distinct author_folded from catalogue_next.songs order by author_folded;
    insert into catalogue_next.author_tokens (rowid, folded) select no, index_tokens(folded) from catalogue_next.authors`)
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

const listOf = (values: readonly (string | number)[]) => sql`(select value from json_each(${JSON.stringify(values)}))`

const dateOrder = (search: TextSearch) => {
  const direction = sql.raw(search.direction)
  return sql`order by s.date_added ${direction}, s.rank ${direction} limit ${search.limit} offset ${search.offset}`
}

async function walkByDate(queries: Queries, search: TextSearch, rows: number): Promise<number[] | undefined> {
  const direction = sql.raw(search.direction)
  const walked = await sql<{ rank: number }>`
    select s.rank from (
      select rank, title_folded, author_folded, date_added from catalogue.songs
      order by date_added ${direction}, rank ${direction} limit ${rows}) s
    where ${wholeCheck(search)} ${dateOrder(search)}`.execute(queries)
  return walked.rows.length === search.limit ? walked.rows.map((row) => row.rank) : undefined
}

/**
 * The index is in title order. A common word is found among the newest rows at once; for one that is not, there are few
 * matches, and sorting them is quick. Which one a word is shows on the way.
 */
async function byDate(queries: Queries, search: TextSearch): Promise<number[]> {
  const near = await walkByDate(queries, search, DATE_PROBE_ROWS.first)
  if (near !== undefined) return near
  const limit = GATHERED_ROWS + 1
  let gathered = await byTitle(queries, { ...search, direction: 'ASC', limit, offset: 0 })
  if (gathered.length === limit) {
    const far = await walkByDate(queries, search, DATE_PROBE_ROWS.second)
    if (far !== undefined) return far
    gathered = await byTitle(queries, { ...search, direction: 'ASC', limit: -1, offset: 0 })
  }
  const { rows } = await sql<{ rank: number }>`
    select s.rank from catalogue.songs s where s.rank in ${listOf(gathered)} ${dateOrder(search)}`.execute(queries)
  return rows.map((row) => row.rank)
}

/** The songs of the authors that match, or undefined where these are too many to list. */
async function byAuthors(queries: Queries, search: TextSearch): Promise<number[] | undefined> {
  const checks = search.words.filter(needsCheck).map((word) => sql`instr(a.folded, ${word}) > 0`)
  if (search.exceptAuthor !== undefined) checks.push(sql`a.folded <> ${search.exceptAuthor}`)
  const authors = await sql<{ folded: string }>`
    select a.folded from catalogue.author_tokens f cross join catalogue.authors a on a.no = f.rowid
    where f.author_tokens match ${tokenMatch({ ...search, artistOnly: false })} and ${checks.length === 0 ? sql`true` : sql.join(checks, sql` and `)}
    limit ${LISTED_AUTHORS + 1}`.execute(queries)
  if (authors.rows.length > LISTED_AUTHORS) return undefined
  if (authors.rows.length === 0) return []
  const direction = sql.raw(search.direction)
  const order =
    search.orderBy === 'date_added' ? dateOrder(search) : sql`order by s.rank ${direction} limit ${search.limit} offset ${search.offset}`
  const { rows } = await sql<{ rank: number }>`
    select s.rank from catalogue.songs s where s.author_folded in ${listOf(authors.rows.map((row) => row.folded))} ${order}`.execute(
    queries,
  )
  return rows.map((row) => row.rank)
}

export const sqliteDialect: Dialect = {
  listOf,
  listOfTexts: listOf,
  searchRanks: async (queries, search) => {
    const listed = search.artistOnly ? await byAuthors(queries, search) : undefined
    return listed ?? (search.orderBy === 'title' ? byTitle(queries, search) : byDate(queries, search))
  },
}
