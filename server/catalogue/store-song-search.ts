import { foldText } from '../../contract/fold-text.ts'
import { parseVideoId } from '../../contract/youtube.ts'
import type { Database, TextSearch } from '../storage/database.ts'
import type { Pagination } from '../storage/pagination.ts'
import { prepareQuery } from '../storage/prepare-query.ts'

const MAX_SEARCH_ATTEMPTS = 3
export interface SongSearch extends Pagination {
  /** Text as the user typed it: words, or the link or id of a video. */
  text: string
  artistOnly: boolean
  orderBy: 'title' | 'date_added'
  direction: 'ASC' | 'DESC'
}

/**
 * Returns a function that finds a song's rank if the search text is the song's link or id. The function returns `undefined` for other texts
 * and for unknown songs.
 */
export function createLinkedSongFinder({ queries }: Database) {
  const findRankById = prepareQuery<{ id: string }, { rank: number }>(queries, ['id'], ({ id }) =>
    queries.selectFrom('catalogue.songs').select('rank').where('youtube_id', '=', id),
  )
  return async (searchText: string): Promise<number | undefined> => {
    const id = parseVideoId(searchText)
    const [song] = id === undefined ? [] : await findRankById({ id })
    return song?.rank
  }
}

/** Finds the ranks of the songs that a text matches. */
export function createSongSearch(database: Database) {
  const { queries } = database
  const findLinkedRank = createLinkedSongFinder(database)
  const prepareAuthorQuery = (sortColumn: 'rank' | 'date_added', sortOrder: 'asc' | 'desc') =>
    prepareQuery<{ name: string; limit: number; offset: number }, { rank: number }>(
      queries,
      ['name', 'limit', 'offset'],
      ({ name, limit, offset }) =>
        queries
          .selectFrom('catalogue.songs')
          .select('rank')
          .where('author_folded', '=', name)
          .orderBy(sortColumn, sortOrder)
          .orderBy('rank', sortOrder)
          .limit(limit)
          .offset(offset),
    )
  const titleOrderQueries = { ASC: prepareAuthorQuery('rank', 'asc'), DESC: prepareAuthorQuery('rank', 'desc') }
  const dateOrderQueries = { ASC: prepareAuthorQuery('date_added', 'asc'), DESC: prepareAuthorQuery('date_added', 'desc') }
  const countByAuthor = prepareQuery<{ name: string }, { count: number }>(queries, ['name'], ({ name }) =>
    queries
      .selectFrom('catalogue.songs')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('author_folded', '=', name),
  )

  async function findRanksOnce(search: SongSearch): Promise<number[]> {
    const foldedText = foldText(search.text)
    if (foldedText === '') return []
    const searchWords = [...new Set(foldedText.split(' '))]
    const { artistOnly, orderBy, direction, limit, offset } = search
    const artistRank = artistOnly ? undefined : await findLinkedRank(search.text)
    if (artistRank !== undefined) return offset === 0 ? [artistRank] : []
    const textSearch: TextSearch = { words: searchWords, artistOnly, orderBy, direction, limit, offset }
    if (!artistOnly) return database.dialect.searchRanks(queries, textSearch)
    const authorPage = { name: foldedText, limit, offset }
    const exactMatches = await (orderBy === 'title' ? titleOrderQueries : dateOrderQueries)[direction](authorPage)
    if (exactMatches.length === limit) return exactMatches.map((row) => row.rank)
    const [authorTotal] = offset === 0 ? [] : await countByAuthor({ name: foldedText })
    const otherMatches = await database.dialect.searchRanks(queries, {
      ...textSearch,
      excludedAuthor: foldedText,
      limit: limit - exactMatches.length,
      offset: Math.max(0, offset - (authorTotal?.count ?? 0)),
    })
    return [...exactMatches.map((row) => row.rank), ...otherMatches]
  }

  return {
    /**
     * Returns the ranks of the matching songs. Repeats the search if the catalogue changed meanwhile, because songs have other ranks after
     * an import.
     */
    async findRanks(search: SongSearch): Promise<number[]> {
      for (let attemptNumber = 1; ; attemptNumber++) {
        const revision = database.revision()
        const ranks = await findRanksOnce(search)
        if (database.revision() === revision || attemptNumber === MAX_SEARCH_ATTEMPTS) return ranks
      }
    },
  }
}
