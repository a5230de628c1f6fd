import { type RawBuilder, sql } from 'kysely'
import type { Dialect, NameSearch, Queries, TextSearch } from '../database.ts'
import { contextKinds } from '../schema.ts'

/** The number of rows that are scanned in order before all matches are collected and sorted. */
const SCANNED_ROWS = 20_000

/** The SQL text that `like` is applied to. The leading space lets a pattern match the start of a word. */
const songText = sql.raw("(' ' || title_folded || ' ' || author_folded)")
const authorText = sql.raw("(' ' || author_folded)")

export const searchIndexes = [
  "create index songs_by_text on catalogue_next.songs using gin ((' ' || title_folded || ' ' || author_folded) gin_trgm_ops)",
  "create index songs_by_author_text on catalogue_next.songs using gin ((' ' || author_folded) gin_trgm_ops)",
  "create index artists_by_text on catalogue_next.artists using gin ((' ' || folded) gin_trgm_ops)",
]

/** Search words of one or two letters match only at the start of a word. */
const likePattern = (word: string) => ([...word].length < 3 ? `% ${word}%` : `%${word}%`)

/**
 * Returns the conditions that every word of the search occurs in a row. Folded words have letters and digits only, so they need no escaping for
 * `like`.
 */
function wordConditions(search: TextSearch): RawBuilder<unknown> {
  const searchedTextSql = search.artistOnly ? authorText : songText
  const conditions = search.words.map((word) => sql`${searchedTextSql} like ${likePattern(word)}`)
  if (search.excludedAuthor !== undefined) conditions.push(sql`author_folded <> ${search.excludedAuthor}`)
  return sql.join(conditions, sql` and `)
}

function selectNames({ table, words, limit }: NameSearch): RawBuilder<{ no: number }> {
  const namesSql =
    table === 'artists'
      ? sql`select no, (' ' || folded) as text from catalogue.artists`
      : sql`select no, (' ' || title_folded) as text from catalogue.contexts where kind <> ${sql.lit(contextKinds.category)}`
  const conditions = words.map((word) => sql`text like ${likePattern(word)}`)
  return sql`select no from (${namesSql}) names where ${sql.join(conditions, sql` and `)} order by no limit ${limit}`
}

async function selectRanks(queries: Queries, query: RawBuilder<{ rank: number }>): Promise<number[]> {
  const { rows } = await query.execute(queries)
  return rows.map((row) => row.rank)
}

/**
 * PostgreSQL dialect. The query planner estimates badly whether to scan in order until enough rows match (slow for a rare word) or to sort all
 * matches (slow for a common word). Therefore a limited number of rows is scanned in order first. If they contain too few matches, all matches are
 * found by the trigram index and sorted.
 */
export const postgresDialect: Dialect = {
  listOf: (values) => sql`(select unnest(${values}::integer[]))`,
  listOfTexts: (values) => sql`(select unnest(${values}::text[]))`,
  searchNames: async (queries, search) => {
    const { rows } = await selectNames(search).execute(queries)
    return rows.map((row) => row.no)
  },
  searchRanks: async (queries, search) => {
    const directionSql = sql.raw(search.direction)
    const orderBySql = search.orderBy === 'title' ? sql`rank ${directionSql}` : sql`date_added ${directionSql}, rank ${directionSql}`
    const orderAndLimitSql = sql`order by ${orderBySql} limit ${search.limit} offset ${search.offset}`
    const columnsSql = sql.raw('rank, date_added, title_folded, author_folded')
    const scannedRanks = await selectRanks(
      queries,
      sql`select rank from (select ${columnsSql} from catalogue.songs order by ${orderBySql} limit ${SCANNED_ROWS}) s where ${wordConditions(search)} ${orderAndLimitSql}`,
    )
    if (scannedRanks.length === search.limit) return scannedRanks
    return selectRanks(
      queries,
      sql`with found as materialized (select rank, date_added from catalogue.songs where ${wordConditions(search)}) select rank from found ${orderAndLimitSql}`,
    )
  },
}
