import { type RawBuilder, sql } from 'kysely'
import { toSearchTerm } from '../../../contract/search-text.ts'
import type { Dialect, NameSearch, Queries, TextSearch } from '../database.ts'
import { contextKinds } from '../schema.ts'

/** The number of rows that are scanned in order before all matches are collected and sorted. */
const SCANNED_ROWS_MAX = 20_000

/** The SQL text that `like` is applied to. The leading space lets a pattern match the start of a word. */
const AUTHOR_TEXT = "(' ' || author_folded || ' ' || author_spellings)"
const SONG_TEXT = "(' ' || title_folded || ' ' || title_spellings || ' ' || author_folded || ' ' || author_spellings)"
const ARTIST_TEXT = "(' ' || folded || ' ' || spellings)"

/** The characters from Thai on. They include all scripts without spaces between words, whose short words have no trigrams. */
const UNSPACED_SCRIPT_CHARACTERS = /[\u0E00-\u{10FFFF}]/gu
const createUnspacedSql = (textSql: string) => `string_to_array(regexp_replace(${textSql}, '[\\u0001-\\u0dff]', '', 'g'), null)`

export const searchIndexesSql = [
  `create index songs_by_text on catalogue_next.songs using gin (${SONG_TEXT} gin_trgm_ops)`,
  `create index songs_by_author_text on catalogue_next.songs using gin (${AUTHOR_TEXT} gin_trgm_ops)`,
  `create index songs_by_characters on catalogue_next.songs using gin ((${createUnspacedSql(SONG_TEXT)}))`,
  `create index artists_by_text on catalogue_next.artists using gin (${ARTIST_TEXT} gin_trgm_ops)`,
]

const createLikePattern = (word: string) => `%${toSearchTerm(word).replace(/[\\%_]/g, '\\$&')}%`

/** Returns the conditions that every word of the search occurs in a row. */
function createWordConditions(search: TextSearch): RawBuilder<unknown>[] {
  const searchedTextSql = sql.raw(search.artistOnly ? AUTHOR_TEXT : SONG_TEXT)
  const conditions = search.words.map((word) => sql`${searchedTextSql} like ${createLikePattern(word)}`)
  if (search.excludedAuthor !== undefined) conditions.push(sql`author_folded <> ${search.excludedAuthor}`)
  return conditions
}

/**
 * Returns a condition that every matching row fulfils and that the index of characters can check; `undefined` if the words have no indexed
 * characters.
 */
function createCharacterConditions({ words }: TextSearch): RawBuilder<unknown>[] {
  const characters = words.join('').match(UNSPACED_SCRIPT_CHARACTERS)
  return characters === null ? [] : [sql`${sql.raw(createUnspacedSql(SONG_TEXT))} @> ${[...new Set(characters)]}::text[]`]
}

const joinConditions = (conditions: readonly RawBuilder<unknown>[]) => sql.join(conditions, sql` and `)

function selectNames({ table, words, limit }: NameSearch): RawBuilder<{ no: number }> {
  const namesSql =
    table === 'artists'
      ? sql`select no, ${sql.raw(ARTIST_TEXT)} as text from catalogue.artists`
      : sql`select no, ' ' || title_folded || ' ' || title_spellings as text from catalogue.contexts where kind <> ${sql.lit(contextKinds.category)}`
  const conditions = words.map((word) => sql`text like ${createLikePattern(word)}`)
  return sql`select no from (${namesSql}) names where ${joinConditions(conditions)} order by no limit ${limit}`
}

async function selectRanks(queries: Queries, rankQuery: RawBuilder<{ rank: number }>): Promise<number[]> {
  const { rows } = await rankQuery.execute(queries)
  return rows.map((row) => row.rank)
}

/**
 * PostgreSQL dialect. The query planner estimates badly whether to scan in order until enough rows match (slow for a rare word) or to sort all
 * matches (slow for a common word). Therefore a limited number of rows is scanned in order first. If they contain too few matches, all matches are
 * found by the trigram index and sorted.
 */
export const postgresDialect: Dialect = {
  serializeNumberList: (values) => `{${values.join()}}`,
  listOfNumbers: (list) => sql`(select unnest(${list}::integer[]))`,
  listOfTexts: (values) => sql`(select unnest(${values}::text[]))`,
  // These locks belong to the transaction, not to the connection, which a pooler gives to others after each transaction. They are taken in one
  // order, so that two transactions never wait for each other.
  lock: async (queries, lockNames) => {
    await sql`select pg_advisory_xact_lock(hash) from (
      select distinct hashtextextended(name, 0) as hash from unnest(${lockNames}::text[]) as name order by hash) hashes`.execute(queries)
  },
  tryLock: async (queries, lockName) => {
    const { rows } = await sql<{ locked: boolean }>`select pg_try_advisory_xact_lock(hashtextextended(${lockName}, 0)) as locked`.execute(
      queries,
    )
    return rows[0]?.locked === true
  },
  searchNames: async (queries, nameSearch) => {
    const { rows } = await selectNames(nameSearch).execute(queries)
    return rows.map((row) => row.no)
  },
  searchRanks: async (queries, textSearch) => {
    const directionSql = sql.raw(textSearch.direction)
    const orderBySql = textSearch.orderBy === 'title' ? sql`rank ${directionSql}` : sql`date_added ${directionSql}, rank ${directionSql}`
    const orderAndLimitSql = sql`order by ${orderBySql} limit ${textSearch.limit} offset ${textSearch.offset}`
    const columnsSql = sql.raw('rank, date_added, title_folded, title_spellings, author_folded, author_spellings')
    const scannedRanks = await selectRanks(
      queries,
      sql`select rank from (select ${columnsSql} from catalogue.songs order by ${orderBySql} limit ${SCANNED_ROWS_MAX}) s where ${joinConditions(createWordConditions(textSearch))} ${orderAndLimitSql}`,
    )
    if (scannedRanks.length === textSearch.limit) return scannedRanks
    return selectRanks(
      queries,
      sql`with found as materialized (select rank, date_added from catalogue.songs where ${joinConditions([...createCharacterConditions(textSearch), ...createWordConditions(textSearch)])}) select rank from found ${orderAndLimitSql}`,
    )
  },
}
