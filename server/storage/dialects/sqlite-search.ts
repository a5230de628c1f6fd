import { type RawBuilder, sql } from 'kysely'
import { indexTokens, listWordTokens, needsTextCheck, toSearchTerm } from '../../../contract/search-text.ts'
import { type CatalogueSchema, computeCatalogueFormatHash } from '../catalogue-tables.ts'
import type { Dialect, NameSearch, Queries, TextSearch } from '../database.ts'
import { contextKinds } from '../schema.ts'
import type { SqliteConnection } from './sqlite-connection.ts'
import { joinConditions, rawText, sqlText } from './sqlite-text.ts'

/**
 * The number of rows that are scanned in order of date: `first` in the first scan, which suffices for common words, and `second` in a
 * second scan, before all matches of a frequent word are sorted.
 */
const SCANNED_ROWS = { first: 500, second: 20_000 }
/** Maximum number of matches that are sorted by date without a second scan. A word with more matches probably occurs in the scanned rows. */
const MAX_SORTED_MATCHES = 3_000
/** Maximum number of matching authors whose songs are looked up. If more authors match, all songs are searched. */
const MAX_LISTED_AUTHORS = 200
/** Maximum number of songs of the matching authors that are looked up. If there are more, all songs are searched in parts. */
const MAX_LISTED_SONGS = 10_000
/** Maximum number of rows that a long search reads in one turn of the event loop. */
const ROWS_PER_SEARCH_PART = 4_000
const INDEXED_ROWS_PER_CHUNK = 5_000

const yieldToEventLoop = () => new Promise<void>((resolve) => setImmediate(resolve))

const createSearchTablesSql = (schema: CatalogueSchema) => [
  `create virtual table ${schema}.song_tokens using fts5(title, author, content='', detail=column, columnsize=0, tokenize="ascii tokenchars '_'")`,
  `create virtual table ${schema}.author_tokens using fts5(folded, content='', detail=none, columnsize=0, tokenize="ascii tokenchars '_'")`,
  `create virtual table ${schema}.playlist_tokens using fts5(folded, content='', detail=none, columnsize=0, tokenize="ascii tokenchars '_'")`,
]

/** Identifies how a catalogue is built; stored in its file as `user_version`. */
const CATALOGUE_FORMAT = computeCatalogueFormatHash('sqlite', createSearchTablesSql('catalogue'))

/** Returns true if another version of the program built the catalogue that is attached. */
export const isCatalogueOutdated = ({ handle }: SqliteConnection): boolean =>
  handle.pragma('catalogue.user_version', { simple: true }) !== CATALOGUE_FORMAT

/**
 * Returns the SQL that creates the search tables. The rowid of `song_tokens` is the song's rank, so that matches are in order of title.
 * Artist searches use the smaller table `author_tokens`, whose rowid is the artist's number. The rowid of `playlist_tokens` is the
 * playlist's number.
 */
export const createSearchIndexSql = (schema: CatalogueSchema) => [
  ...createSearchTablesSql(schema),
  `pragma ${schema}.user_version = ${CATALOGUE_FORMAT}`,
]

/** Fills the search tables of `catalogue_next` in chunks, and yields to the event loop between chunks. */
export async function indexSongs(connection: SqliteConnection, songCount: number): Promise<void> {
  connection.handle.function('index_tokens', { deterministic: true }, (words) => indexTokens(String(words)))
  // FTS5 sorts tokens in memory up to the size `hashsize`. With a large size, fewer index segments have to be merged and read.
  connection.handle.exec("insert into catalogue_next.song_tokens (song_tokens, rank) values ('hashsize', 33554432)")
  const insertTokens = connection.handle.prepare(`
    insert into catalogue_next.song_tokens (rowid, title, author)
    select rank, index_tokens(title_folded || ' ' || title_spellings), index_tokens(author_folded || ' ' || author_spellings)
    from catalogue_next.songs where rank between ? and ?`)
  for (let firstRank = 1; firstRank <= songCount; firstRank += INDEXED_ROWS_PER_CHUNK) {
    insertTokens.run(firstRank, firstRank + INDEXED_ROWS_PER_CHUNK - 1)
    await yieldToEventLoop()
  }
  connection.handle.exec(`
    insert into catalogue_next.author_tokens (rowid, folded) select no, index_tokens(folded || ' ' || spellings) from catalogue_next.artists;
    insert into catalogue_next.playlist_tokens (rowid, folded)
    select no, index_tokens(title_folded || ' ' || title_spellings) from catalogue_next.contexts where kind <> ${contextKinds.category}`)
}

/** The number of songs that are searched to check the index. */
const INDEX_CHECK_SONG_COUNT = 500

/** Searches for a sample of songs by their titles, and returns the ids of those that the index does not find. */
export function findUnindexedSongs(connection: SqliteConnection): string[] {
  const songsHandle = connection.handle
    .prepare<[number], { rank: number; youtube_id: string; title_folded: string }>(
      'select rank, youtube_id, title_folded from catalogue.songs where rank % (select songs / ? + 1 from catalogue.totals) = 0',
    )
    .all(INDEX_CHECK_SONG_COUNT)
  const findMatch = connection.handle.prepare('select 1 from catalogue.song_tokens where song_tokens match ? and rowid = ?')
  return songsHandle.flatMap(({ rank, youtube_id, title_folded }) => {
    const titleTokens = indexTokens(title_folded)
      .split(' ')
      .filter((token) => token !== '')
    const matchQuery = `title : (${titleTokens
      .slice(0, 10)
      .map((token) => `"${token}"`)
      .join(' AND ')})`
    return titleTokens.length === 0 || findMatch.get(matchQuery, rank) !== undefined ? [] : [youtube_id]
  })
}

/** Returns FTS5 query terms that require all tokens of the words. Tokens have no quotes. */
const formatRequiredTokens = (words: readonly string[]) =>
  [...new Set(words.flatMap(listWordTokens))].map((token) => `"${token}"`).join(' AND ')

const toFtsQuery = ({ words, artistOnly }: TextSearch) =>
  artistOnly ? `author : (${formatRequiredTokens(words)})` : formatRequiredTokens(words)

const authorText = sqlText`' ' || s.author_folded || ' ' || s.author_spellings`
const songText = sqlText`' ' || s.title_folded || ' ' || s.title_spellings || ${authorText}`

/**
 * Returns the conditions that every word occurs in a row; `searchWords` are all words of the search, or only the words that the index finds
 * inexactly.
 */
function createWordConditions(search: TextSearch, searchWords = search.words) {
  const searchedText = search.artistOnly ? authorText : songText
  const conditions = searchWords.map((word) => sqlText`instr(${searchedText}, ${toSearchTerm(word)}) > 0`)
  if (search.excludedAuthor !== undefined) conditions.push(sqlText`s.author_folded <> ${search.excludedAuthor}`)
  return joinConditions(conditions)
}

/**
 * Returns the ranks of the matching songs in order of title. Reads the index in parts by rank with pauses between them, so that many matches do not
 * block the event loop.
 */
async function findRanksByTitle(queries: Queries, search: TextSearch): Promise<number[]> {
  const checkedWords = search.words.filter(needsTextCheck)
  const needsRowCheck = checkedWords.length > 0 || search.excludedAuthor !== undefined
  const isAscending = search.direction === 'ASC'
  const wantedCount = search.offset + search.limit
  const matchedRanks: number[] = []
  let lastRank = isAscending ? 0 : Number.MAX_SAFE_INTEGER
  for (
    let batchRowCount = Math.min(wantedCount, ROWS_PER_SEARCH_PART);
    ;
    batchRowCount = Math.min(2 * batchRowCount, ROWS_PER_SEARCH_PART)
  ) {
    const pageQuery = sqlText`
      select rowid from catalogue.song_tokens where song_tokens match ${toFtsQuery(search)}
      and rowid ${rawText(isAscending ? '>' : '<')} ${lastRank} order by rowid ${rawText(search.direction)} limit ${batchRowCount} + 0`
    const rankQuery = needsRowCheck
      ? sqlText<{ rank: number; found: number }>`
          select f.rowid as rank, ${createWordConditions(search, checkedWords)} as found
          from (${pageQuery}) f cross join catalogue.songs s on s.rank = f.rowid`
      : sqlText<{ rank: number; found: number }>`select rowid as rank, 1 as found from (${pageQuery})`
    const rankRows = await rankQuery.execute(queries)
    for (const { rank, found } of rankRows) if (found === 1) matchedRanks.push(rank)
    lastRank = rankRows.at(-1)?.rank ?? lastRank
    if (rankRows.length < batchRowCount || matchedRanks.length >= wantedCount) return matchedRanks.slice(search.offset, wantedCount)
    await yieldToEventLoop()
  }
}

/** Returns a subquery of the values of a JSON array. */
const selectJsonValues = (json: RawBuilder<string> | string) => sql`(select value from json_each(${json}))`

const selectListValues = (values: readonly (string | number)[]) => sqlText`(select value from json_each(${JSON.stringify(values)}))`

const createDateOrder = (search: TextSearch) => {
  const direction = rawText(search.direction)
  return sqlText`order by s.date_added ${direction}, s.rank ${direction} limit ${search.limit} + 0 offset ${search.offset}`
}

/**
 * Returns the ranks of the matching songs in order of date; undefined if `rowLimit` rows do not contain as many as requested. Reads the rows in
 * parts with pauses between them.
 */
async function scanByDate(
  queries: Queries,
  search: TextSearch,
  rowLimit: number,
  textMatches?: TextMatches,
): Promise<number[] | undefined> {
  const sqlDirection = rawText(search.direction)
  const wantedCount = Math.min(search.offset + search.limit, textMatches?.count ?? Number.POSITIVE_INFINITY)
  if (wantedCount > rowLimit) return undefined
  const matchCondition = textMatches === undefined ? createWordConditions(search) : sqlText`1`
  const foundRanks: number[] = []
  let afterCondition = sqlText`true`
  for (let scannedRows = 0; foundRanks.length < wantedCount; scannedRows += ROWS_PER_SEARCH_PART) {
    if (scannedRows >= rowLimit) return undefined
    if (scannedRows > 0) await yieldToEventLoop()
    const datedRows = await sqlText<{ rank: number; date_added: string; found: number }>`
      select s.rank, s.date_added, ${matchCondition} as found from catalogue.songs s where ${afterCondition}
      order by s.date_added ${sqlDirection}, s.rank ${sqlDirection} limit ${Math.min(ROWS_PER_SEARCH_PART, rowLimit - scannedRows)} + 0`.execute(
      queries,
    )
    for (const row of datedRows) if (row.found === 1 && (textMatches === undefined || textMatches.has(row.rank))) foundRanks.push(row.rank)
    const lastRow = datedRows.at(-1)
    if (lastRow === undefined) return undefined
    afterCondition = sqlText`(s.date_added, s.rank) ${rawText(search.direction === 'ASC' ? '>' : '<')} (${lastRow.date_added}, ${lastRow.rank})`
  }
  return foundRanks.slice(search.offset, search.offset + search.limit)
}

/** A set of ranks. */
interface TextMatches {
  count: number
  has(rank: number): boolean
}

/** Creates a set of numbers from `sortedRanks`, which are in ascending order. This set is filled much faster than a `Set` of as many numbers. */
function createMatchesOfRanks(sortedRanks: readonly number[]): TextMatches {
  const marks = new Uint8Array((sortedRanks.at(-1) ?? 0) + 1)
  for (const rank of sortedRanks) marks[rank] = 1
  return { count: sortedRanks.length, has: (rank) => marks[rank] === 1 }
}

/**
 * Returns the ranks of the matching songs in order of date; the index is in order of title. Scans the newest (or oldest) rows first, which suffices
 * for a common word. Otherwise collects the matches from the index and sorts them, which is fast for a rare word.
 */
async function findRanksByDate(queries: Queries, search: TextSearch): Promise<number[]> {
  const firstScan = await scanByDate(queries, search, SCANNED_ROWS.first)
  if (firstScan !== undefined) return firstScan
  const matchLimit = MAX_SORTED_MATCHES + 1
  const titleRanks = await findRanksByTitle(queries, { ...search, direction: 'ASC', limit: matchLimit, offset: 0 })
  if (titleRanks.length === matchLimit) {
    const secondScan = await scanByDate(queries, search, SCANNED_ROWS.second)
    if (secondScan !== undefined) return secondScan
    const allMatches = await findRanksByTitle(queries, { ...search, direction: 'ASC', limit: Number.MAX_SAFE_INTEGER, offset: 0 })
    return (await scanByDate(queries, search, Number.MAX_SAFE_INTEGER, createMatchesOfRanks(allMatches))) ?? []
  }
  const rows = await sqlText<{ rank: number }>`
    select s.rank from catalogue.songs s where s.rank in ${selectListValues(titleRanks)} ${createDateOrder(search)}`.execute(queries)
  return rows.map((row) => row.rank)
}

const artistText = sqlText`' ' || a.folded || ' ' || a.spellings`

/** Returns the ranks of the songs by matching authors; undefined if too many authors match, or authors of too many songs. */
async function findRanksByAuthors(queries: Queries, search: TextSearch): Promise<number[] | undefined> {
  const wordChecks = search.words.filter(needsTextCheck).map((word) => sqlText`instr(${artistText}, ${toSearchTerm(word)}) > 0`)
  if (search.excludedAuthor !== undefined) wordChecks.push(sqlText`a.folded <> ${search.excludedAuthor}`)
  const authorRows = await sqlText<{ folded: string; song_count: number }>`
    select a.folded, a.song_count from catalogue.author_tokens f cross join catalogue.artists a on a.no = f.rowid
    where f.author_tokens match ${formatRequiredTokens(search.words)} and ${wordChecks.length === 0 ? sqlText`true` : joinConditions(wordChecks)}
    limit ${MAX_LISTED_AUTHORS + 1} + 0`.execute(queries)
  if (authorRows.length > MAX_LISTED_AUTHORS) return undefined
  if (authorRows.reduce((sum, { song_count }) => sum + song_count, 0) > MAX_LISTED_SONGS) return undefined
  if (authorRows.length === 0) return []
  const sqlDirection = rawText(search.direction)
  const orderBySql =
    search.orderBy === 'date_added'
      ? createDateOrder(search)
      : sqlText`order by s.rank ${sqlDirection} limit ${search.limit} + 0 offset ${search.offset}`
  const rankRows = await sqlText<{ rank: number }>`
    select s.rank from catalogue.songs s where s.author_folded in ${selectListValues(authorRows.map((row) => row.folded))} ${orderBySql}`.execute(
    queries,
  )
  return rankRows.map((row) => row.rank)
}

const nameTables = {
  artists: { tokens: rawText('author_tokens'), rows: rawText('catalogue.artists'), text: rawText("' ' || r.folded || ' ' || r.spellings") },
  playlists: {
    tokens: rawText('playlist_tokens'),
    rows: rawText('catalogue.contexts'),
    text: rawText("' ' || r.title_folded || ' ' || r.title_spellings"),
  },
}

async function searchNames(queries: Queries, { table, words, limit }: NameSearch): Promise<number[]> {
  const { tokens, rows, text } = nameTables[table]
  const wordConditionTexts = words.filter(needsTextCheck).map((word) => sqlText`instr(${text}, ${toSearchTerm(word)}) > 0`)
  const nameQuery =
    wordConditionTexts.length === 0
      ? sqlText<{
          no: number
        }>`select rowid as no from catalogue.${tokens} where ${tokens} match ${formatRequiredTokens(words)} order by rowid limit ${limit} + 0`
      : sqlText<{ no: number }>`
          select f.rowid as no from catalogue.${tokens} f cross join ${rows} r on r.no = f.rowid
          where f.${tokens} match ${formatRequiredTokens(words)} and ${joinConditions(wordConditionTexts)} order by f.rowid limit ${limit} + 0`
  const found = await nameQuery.execute(queries)
  return found.map((row) => row.no)
}

export const sqliteDialect: Dialect = {
  serializeNumberList: JSON.stringify,
  listOfNumbers: selectJsonValues,
  listOfTexts: (values) => selectJsonValues(JSON.stringify(values)),
  lock: async () => {},
  tryLock: async () => true,
  searchNames,
  searchRanks: async (queries, textSearch) => {
    const authorRanks = textSearch.artistOnly ? await findRanksByAuthors(queries, textSearch) : undefined
    return authorRanks ?? (textSearch.orderBy === 'title' ? findRanksByTitle(queries, textSearch) : findRanksByDate(queries, textSearch))
  },
}
