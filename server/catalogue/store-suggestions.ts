import { type Compilable, type RawBuilder, sql } from 'kysely'
import { foldText } from '../../contract/fold-text.ts'
import type { SearchStartSuggestions, SimilarResults, Suggestions } from '../../contract/suggestions.ts'
import type { Database } from '../storage/database.ts'
import { prepareQuery } from '../storage/prepare-query.ts'
import { type ArtistsTable, type ContextsTable, contextKinds } from '../storage/schema.ts'
import { hasSimilarWords, listMistypedTextSearches } from './similar-words.ts'
import { toPlaylist } from './store-contexts.ts'
import { createSongRowReader, type SongReadOptions, type SongRow, songColumns, toSong } from './store-song-rows.ts'
import { createLinkedSongFinder } from './store-song-search.ts'

/** The maximum number of queries for similar names, and the maximum number of rows that each query reads. */
const SIMILAR_SEARCHES_MAX = 8
const SIMILAR_ROWS_PER_QUERY = 100

/** The last code point: `text + LAST_CHARACTER` follows every folded text that begins with `text`. */
const LAST_CHARACTER = '\u{10ffff}'

/** Selects rows whose folded title or name is at least `first` and less than `last`. */
interface PrefixRange extends Record<string, string | number> {
  first: string
  last: string
  limit: number
}
const rangeParameters = ['first', 'last', 'limit'] as const

/** The queries that find the suggestions of one kind: songs, artists or playlists. */
interface SuggestionSource<Row> {
  /** Returns the rows whose title or name begins with the text, in alphabetical order. */
  selectPrefixed(range: PrefixRange): Promise<Row[]>
  /** Returns the numbers (`no`) of the rows that match all words, in ascending order. */
  search(words: readonly string[], limit: number): Promise<number[]>
  /** Returns the rows with the given `no`, in any order. */
  read(numbers: readonly number[]): Promise<Row[]>
  getRowNumber(row: Row): number
}

/**
 * Returns the rows whose title or name begins with the text, followed by the other matches. The other matches are searched only if fewer
 * than `rowLimit` rows begin with the text.
 */
async function findRows<Row>(source: SuggestionSource<Row>, foldedText: string, rowLimit: number): Promise<Row[]> {
  const prefixedRows = await source.selectPrefixed({ first: foldedText, last: foldedText + LAST_CHARACTER, limit: rowLimit })
  if (prefixedRows.length === rowLimit) return prefixedRows
  const prefixedNumbers = prefixedRows.map(source.getRowNumber)
  const foundRows = await source.search([...new Set(foldedText.split(' '))], rowLimit + prefixedRows.length)
  const otherNumbers = foundRows.filter((no) => !prefixedNumbers.includes(no)).slice(0, rowLimit - prefixedRows.length)
  const others = otherNumbers.length === 0 ? [] : await source.read(otherNumbers)
  return [...prefixedRows, ...others.sort((a, b) => source.getRowNumber(a) - source.getRowNumber(b))]
}

export function createSuggestionStore(database: Database) {
  const { queries, dialect } = database
  const findLinkedRank = createLinkedSongFinder(database)
  const readSongRows = createSongRowReader(database)

  const songSource: SuggestionSource<SongRow> = {
    selectPrefixed: prepareQuery<PrefixRange, SongRow>(queries, rangeParameters, ({ first, last, limit }) =>
      queries
        .selectFrom('catalogue.songs as s')
        .select(songColumns)
        .where('s.title_folded', '>=', first)
        .where('s.title_folded', '<', last)
        .orderBy('s.title_folded')
        .orderBy('s.rank')
        .limit(limit),
    ),
    search: (words, limit) =>
      dialect.searchRanks(queries, { words, artistOnly: false, orderBy: 'title', direction: 'ASC', limit, offset: 0 }),
    read: readSongRows,
    getRowNumber: (row) => row.rank,
  }

  /** Creates a function that reads the rows of the given numbers (`no`), which `isListed` selects. */
  function createNumberedReader<Row>(buildQuery: (isListed: RawBuilder<boolean>) => Compilable<Row>) {
    const selectRows = prepareQuery<{ list: string }, Row>(queries, ['list'], ({ list }) =>
      buildQuery(sql<boolean>`no in ${dialect.listOfNumbers(list)}`),
    )
    return (numbers: readonly number[]): Promise<Row[]> => selectRows({ list: dialect.serializeNumberList(numbers) })
  }

  const artistSource: SuggestionSource<ArtistsTable> = {
    selectPrefixed: prepareQuery<PrefixRange, ArtistsTable>(queries, rangeParameters, ({ first, last, limit }) =>
      queries
        .selectFrom('catalogue.artists')
        .selectAll()
        .where('folded', '>=', first)
        .where('folded', '<', last)
        .orderBy('folded')
        .limit(limit),
    ),
    search: (words, limit) => dialect.searchNames(queries, { table: 'artists', words, limit }),
    read: createNumberedReader((isListed) => queries.selectFrom('catalogue.artists').selectAll().where(isListed)),
    getRowNumber: (row) => row.no,
  }

  const playlistSource: SuggestionSource<ContextsTable> = {
    selectPrefixed: prepareQuery<PrefixRange, ContextsTable>(queries, rangeParameters, ({ first, last, limit }) =>
      queries
        .selectFrom('catalogue.contexts')
        .selectAll()
        .where('title_folded', '>=', first)
        .where('title_folded', '<', last)
        .where('kind', '<>', sql.lit(contextKinds.category))
        .orderBy('title_folded')
        .orderBy('no')
        .limit(limit),
    ),
    search: (words, limit) => dialect.searchNames(queries, { table: 'playlists', words, limit }),
    read: createNumberedReader((isListed) => queries.selectFrom('catalogue.contexts').selectAll().where(isListed)),
    getRowNumber: (row) => row.no,
  }

  return {
    /** Returns up to `rowLimit` songs and artists whose titles and names are similar to a text that matches nothing. */
    findSimilar: async (typedText: string, rowLimit: number, readOptions: SongReadOptions): Promise<SimilarResults> => {
      const foldedText = foldText(typedText)
      const artistByNumber = new Map<number, ArtistsTable>()
      const songByRank = new Map<number, SongRow>()
      for (const similarWords of listMistypedTextSearches(foldedText).slice(0, SIMILAR_SEARCHES_MAX)) {
        const [artistNumbers, songRanks] = await Promise.all([
          artistSource.search(similarWords, SIMILAR_ROWS_PER_QUERY),
          songSource.search(similarWords, SIMILAR_ROWS_PER_QUERY),
        ])
        for (const row of await artistSource.read(artistNumbers)) if (hasSimilarWords(foldedText, row.name)) artistByNumber.set(row.no, row)
        for (const row of await songSource.read(songRanks))
          if (hasSimilarWords(foldedText, `${row.title} ${row.author_name}`)) songByRank.set(row.rank, row)
      }
      return {
        artists: [...artistByNumber.values()].slice(0, rowLimit).map(({ name, song_count }) => ({ name, song_count })),
        songs: [...songByRank.values()].slice(0, rowLimit).map((row) => toSong(row, readOptions)),
      }
    },
    /** Returns up to `rowLimit` artists and categories, those with the most songs first. */
    findStart: async (rowLimit: number): Promise<SearchStartSuggestions> => {
      const [artistRows, categoryRows] = await Promise.all([
        queries.selectFrom('catalogue.artists').selectAll().orderBy('song_count', 'desc').orderBy('no').limit(rowLimit).execute(),
        queries
          .selectFrom('catalogue.contexts')
          .selectAll()
          .where('kind', '=', contextKinds.category)
          .orderBy('song_count', 'desc')
          .orderBy('no')
          .limit(rowLimit)
          .execute(),
      ])
      return {
        artists: artistRows.map(({ name, song_count }) => ({ name, song_count })),
        categories: categoryRows.map(({ id, title, song_count }) => ({ id, name: title, song_count })),
      }
    },
    /**
     * Returns up to `rowLimit` songs, artists and playlists that match `typedText` as in `SongStore.search`. Titles and names that begin with the text come
     * first. If the text is the link or id of a song, only this song is suggested.
     */
    find: async (typedText: string, rowLimit: number, readOptions: SongReadOptions): Promise<Suggestions> => {
      const foldedText = foldText(typedText)
      if (foldedText === '') return { songs: [], artists: [], playlists: [] }
      const artistRank = await findLinkedRank(typedText)
      if (artistRank !== undefined)
        return { songs: (await readSongRows([artistRank])).map((row) => toSong(row, readOptions)), artists: [], playlists: [] }
      const [songRows, artistRows, playlistRows] = await Promise.all([
        findRows(songSource, foldedText, rowLimit),
        findRows(artistSource, foldedText, rowLimit),
        findRows(playlistSource, foldedText, rowLimit),
      ])
      return {
        songs: songRows.map((row) => toSong(row, readOptions)),
        artists: artistRows.map(({ name, song_count }) => ({ name, song_count })),
        playlists: playlistRows.map(toPlaylist),
      }
    },
  }
}
