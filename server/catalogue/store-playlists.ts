import { randomInt } from 'node:crypto'
import type { Playlist, PlaylistWithSongs } from '../../contract/playlist.ts'
import type { Database } from '../storage/database.ts'
import type { Pagination } from '../storage/pagination.ts'
import { prepareQuery } from '../storage/prepare-query.ts'
import { type ContextsTable, contextKinds } from '../storage/schema.ts'
import { createSongContextStore, toPlaylist } from './store-contexts.ts'
import { createPlaylistFavoriteCounter } from './store-playlist-favorites.ts'
import { findFirstPopularityDay } from './store-plays.ts'
import { type SongReadOptions, type SongRow, songColumns, toSong } from './store-song-rows.ts'

export interface PlaylistListQuery extends Pagination {
  homeOnly: boolean
  /** The order by title, ascending or descending. `undefined` orders by popularity: plays of the last 30 days, then favorites, then title. */
  order: 'ASC' | 'DESC' | undefined
  /**
   * Ids of the playlists and categories that come first in the order by popularity: before all others on the home page, and before others
   * of the same popularity elsewhere.
   */
  leadIds?: readonly string[]
  nowMs: number
}

/** Draws `drawnCount` distinct integers from 1..`rangeSize`, in random order. */
function drawDistinct(drawnCount: number, rangeSize: number): number[] {
  const drawnNumbers = new Set<number>()
  while (drawnNumbers.size < Math.min(drawnCount, rangeSize)) drawnNumbers.add(randomInt(1, rangeSize + 1))
  return [...drawnNumbers]
}

export function createPlaylistStore(database: Database) {
  const { queries } = database
  const contexts = createSongContextStore(queries)
  const countFavorites = createPlaylistFavoriteCounter(database)
  const listSongsBetween = prepareQuery<{ no: number; first: number; last: number }, SongRow>(
    queries,
    ['no', 'first', 'last'],
    ({ no, first, last }) =>
      queries
        .selectFrom('catalogue.context_songs as cs')
        .innerJoin('catalogue.songs as s', 's.rank', 'cs.song_rank')
        .select(songColumns)
        .where('cs.context_no', '=', no)
        .where('cs.position', '>=', first)
        .where('cs.position', '<=', last)
        .orderBy('cs.position'),
  )

  return {
    list: async ({ homeOnly, order, leadIds = [], nowMs, limit, offset }: PlaylistListQuery): Promise<Playlist[]> => {
      const playlists = queries
        .selectFrom('catalogue.contexts as c')
        .selectAll('c')
        .where('c.kind', '<>', contextKinds.category)
        .$if(homeOnly, (query) => query.where('c.home', '=', 1))
      if (order !== undefined) {
        const direction = order === 'ASC' ? 'asc' : 'desc'
        const rows = await playlists.orderBy('c.title_folded', direction).orderBy('c.no', direction).limit(limit).offset(offset).execute()
        return rows.map(toPlaylist)
      }
      const playTotals = queries
        .selectFrom('playlist_plays')
        .select((eb) => ['playlist_id', eb.fn.sum<number>('plays').as('plays')])
        .where('day', '>=', findFirstPopularityDay(nowMs))
        .groupBy('playlist_id')
      const playlistRows = await playlists
        .leftJoin(playTotals.as('p'), 'p.playlist_id', 'c.id')
        .select('p.plays')
        .orderBy('c.title_folded')
        .orderBy('c.no')
        .execute()
      const favoriteCounts = await countFavorites(nowMs)
      const readFavoriteCount = ({ id }: ContextsTable) => favoriteCounts.get(id) ?? 0
      const computeLeadRank = ({ id, category_id }: ContextsTable) => {
        const index = leadIds.findIndex((leadId) => leadId === id || leadId === category_id)
        return index === -1 ? leadIds.length : index
      }
      type ListedPlaylistRow = (typeof playlistRows)[number]
      const comparePopularity = (a: ListedPlaylistRow, b: ListedPlaylistRow) =>
        (b.plays ?? 0) - (a.plays ?? 0) || readFavoriteCount(b) - readFavoriteCount(a)
      const compareLeads = (a: ListedPlaylistRow, b: ListedPlaylistRow) => computeLeadRank(a) - computeLeadRank(b)
      // The sort is stable, so that playlists with equally many plays and favorites stay ordered by title.
      playlistRows.sort((a, b) =>
        homeOnly ? compareLeads(a, b) || comparePopularity(a, b) : comparePopularity(a, b) || compareLeads(a, b),
      )
      return playlistRows.slice(offset, offset + limit).map(toPlaylist)
    },

    /** Returns `playlistCount` distinct playlists, chosen at random on each call. */
    listRandom: async (playlistCount: number): Promise<Playlist[]> => {
      const totalsRow = await queries.selectFrom('catalogue.totals').select('explorable').executeTakeFirst()
      const playlistNumbers = drawDistinct(playlistCount, totalsRow?.explorable ?? 0)
      if (playlistNumbers.length === 0) return []
      const playlistRows = await queries.selectFrom('catalogue.contexts').selectAll().where('no', 'in', playlistNumbers).execute()
      const rowByNumber = new Map(playlistRows.map((row) => [row.no, row]))
      return playlistNumbers.flatMap((playlistNo) => {
        const row = rowByNumber.get(playlistNo)
        return row === undefined ? [] : [toPlaylist(row)]
      })
    },

    /** Returns a playlist, or a category in a playlist's shape, without songs; `undefined` if the id is unknown. */
    find: async (playlistId: string): Promise<Playlist | undefined> => {
      const context = await contexts.find(playlistId)
      return context && toPlaylist(context)
    },

    /** Returns a playlist, a computed playlist, or a category in a playlist's shape; `undefined` if the id is unknown. */
    get: async (
      playlistId: string,
      { limit, offset }: Pagination,
      readOptions: SongReadOptions,
    ): Promise<PlaylistWithSongs | undefined> => {
      const context = await contexts.find(playlistId)
      if (context === undefined) return undefined
      const rows = await listSongsBetween({ no: context.no, first: offset + 1, last: offset + limit })
      return { playlist: toPlaylist(context), songs: rows.map((row) => toSong(row, readOptions)) }
    },
  }
}
