import { type RawBuilder, sql } from 'kysely'
import type { Dialect, Queries, TextSearch } from '../database.ts'

/** The rows that are tried in order before all matches are gathered and sorted. */
const PROBE_ROWS = 20_000

/** What `like` looks into; the space in front makes the start of a word something to look for. */
const anyText = sql.raw("(' ' || title_folded || ' ' || author_folded)")
const authorText = sql.raw("(' ' || author_folded)")

export const searchIndexes = [
  "create index songs_by_text on catalogue_next.songs using gin ((' ' || title_folded || ' ' || author_folded) gin_trgm_ops)",
  "create index songs_by_author_text on catalogue_next.songs using gin ((' ' || author_folded) gin_trgm_ops)",
]

/** Folded words hold letters and digits only, so nothing in them means anything to `like`. */
function matches(search: TextSearch): RawBuilder<unknown> {
  const text = search.artistOnly ? authorText : anyText
  const parts = search.words.map((word) => sql`${text} like ${[...word].length < 3 ? `% ${word}%` : `%${word}%`}`)
  if (search.exceptAuthor !== undefined) parts.push(sql`author_folded <> ${search.exceptAuthor}`)
  return sql.join(parts, sql` and `)
}

async function ranks(queries: Queries, query: RawBuilder<{ rank: number }>): Promise<number[]> {
  const { rows } = await query.execute(queries)
  return rows.map((row) => row.rank)
}

/**
 * The planner guesses badly between walking the order until enough rows match (endless for a rare word) and
 * sorting all that match (slow for a common one). So neither is left to it: a walk of bounded length comes first,
 * and only words too rare for it are looked up in the index.
 */
export const postgresDialect: Dialect = {
  listOf: (values) => sql`(select unnest(${values}::integer[]))`,
  listOfTexts: (values) => sql`(select unnest(${values}::text[]))`,
  searchRanks: async (queries, search) => {
    const direction = sql.raw(search.direction)
    const order = search.orderBy === 'title' ? sql`rank ${direction}` : sql`date_added ${direction}, rank ${direction}`
    const slice = sql`order by ${order} limit ${search.limit} offset ${search.offset}`
    const columns = sql.raw('rank, date_added, title_folded, author_folded')
    const walked = await ranks(
      queries,
      sql`select rank from (select ${columns} from catalogue.songs order by ${order} limit ${PROBE_ROWS}) s where ${matches(search)} ${slice}`,
    )
    if (walked.length === search.limit) return walked
    return ranks(
      queries,
      sql`with found as materialized (select rank, date_added from catalogue.songs where ${matches(search)}) select rank from found ${slice}`,
    )
  },
}
