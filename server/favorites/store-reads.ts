import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import type { FavoriteState } from '../../contract/favorite.ts'
import type { RandomSong } from '../../contract/song.ts'
import { createWatchUrl } from '../../contract/youtube.ts'
import { type SongReadOptions, songColumns, toSong } from '../catalogue/store-song-rows.ts'
import type { Database, Queries } from '../storage/database.ts'
import type { Pagination } from '../storage/pagination.ts'
import { prepareQuery } from '../storage/prepare-query.ts'
import type { Tables } from '../storage/schema.ts'

/** Maximum number of random draws before all playable favorites are loaded. A draw is rejected if its song is excluded. */
const RANDOM_DRAWS_MAX = 16

type ChangedState = Pick<Tables['favorites'], 'song_id' | 'favorite' | 'changed_at' | 'version'>

export const toIsoTime = (ms: number) => new Date(ms).toISOString()

const selectNewestFirst = (queries: Queries, uid: string) =>
  queries
    .selectFrom('favorites as f')
    .where('f.uid', '=', uid)
    .where('f.favorite', '=', 1)
    .orderBy('f.changed_at', 'desc')
    // Changes of one request may have the same time; their versions keep the order of the request.
    .orderBy('f.version', 'desc')

/** Queries that read favorites. */
export function createFavoriteQueries({ queries, dialect }: Database) {
  const findListByUid = prepareQuery<{ uid: string }, Pick<Tables['favorite_lists'], 'epoch' | 'version'>>(queries, ['uid'], ({ uid }) =>
    queries.selectFrom('favorite_lists').select(['epoch', 'version']).where('uid', '=', uid),
  )

  const countFavorites = async (uid: string, queries: Queries) => {
    const favoriteCountRow = await queries
      .selectFrom('favorites')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('uid', '=', uid)
      .where('favorite', '=', 1)
      .executeTakeFirstOrThrow()
    return favoriteCountRow.count
  }

  const selectFavoriteSongs = (uid: string) =>
    selectNewestFirst(queries, uid).innerJoin('catalogue.songs as s', 's.youtube_id', 'f.song_id')
  const toRandomSong = ({ youtube_id, title, category_id }: Omit<RandomSong, 'youtube_url'>): RandomSong => ({
    youtube_id,
    youtube_url: createWatchUrl(youtube_id),
    title,
    category_id,
  })

  /** Selects the playable favorites except `excludedSongId`, newest first. */
  const selectPlayable = (uid: string, excludedSongId: string | undefined) =>
    selectFavoriteSongs(uid)
      .leftJoin('unplayable_songs as u', 'u.song_id', 's.youtube_id')
      .select(['s.youtube_id', 's.title', 's.category_id'])
      .where('u.song_id', 'is', null)
      .where('f.song_id', '<>', excludedSongId ?? '')

  /** Selects the highest list version among the account's favorite states. */
  const selectLatestVersion = (uid: string) =>
    queries
      .selectFrom('favorites')
      .select('version')
      .where('uid', '=', uid)
      .orderBy('changed_at', 'desc')
      .orderBy('favorite', 'desc')
      .orderBy('version', 'desc')
      .limit(1)

  return {
    count: countFavorites,
    listEntries: (uid: string, { limit, offset }: Pagination) =>
      selectNewestFirst(queries, uid).select(['f.song_id', 'f.changed_at']).limit(limit).offset(offset).execute(),
    readList: async (uid: string) => (await findListByUid({ uid }))[0],

    /**
     * Lists states with a version above `sinceVersion`, in order of version. Without `withRemoved`, removals are omitted, unless the latest change of the
     * list is a removal: a device needs the time of the latest change, because it dates its own next change after that time.
     */
    changedSince: (
      uid: string,
      sinceVersion: number,
      { withRemoved, limit }: { withRemoved: boolean; limit: number },
    ): Promise<ChangedState[]> =>
      queries
        .selectFrom('favorites')
        .select(['song_id', 'favorite', 'changed_at', 'version'])
        .where('uid', '=', uid)
        .where('version', '>', sinceVersion)
        .$if(!withRemoved, (query) => query.where((eb) => eb.or([eb('favorite', '=', 1), eb('version', '=', selectLatestVersion(uid))])))
        .orderBy('version')
        .limit(limit)
        .execute(),

    statesOf: async (changedRows: readonly ChangedState[], readOptions: SongReadOptions): Promise<FavoriteState[]> => {
      const songIds = changedRows.flatMap((row) => (row.favorite === 1 ? [row.song_id] : []))
      const foundSongs =
        songIds.length === 0
          ? []
          : await queries
              .selectFrom('catalogue.songs as s')
              .select(songColumns)
              .where(sql<boolean>`s.youtube_id in ${dialect.listOfTexts(songIds)}`)
              .execute()
      const songById = new Map(foundSongs.map((row) => [row.youtube_id, toSong(row, readOptions)]))
      return changedRows.map((changedRow) => {
        const song = changedRow.favorite === 1 ? songById.get(changedRow.song_id) : undefined
        return { s: changedRow.song_id, favorite: changedRow.favorite === 1, at: toIsoTime(changedRow.changed_at), ...(song && { song }) }
      })
    },

    listRanks: async (uid: string, { limit, offset }: Pagination): Promise<number[]> =>
      (await selectFavoriteSongs(uid).select('s.rank').limit(limit).offset(offset).execute()).map(({ rank }) => rank),

    findLatest: async (uid: string): Promise<RandomSong | undefined> => {
      const row = await selectFavoriteSongs(uid).select(['s.youtube_id', 's.title', 's.category_id']).limit(1).executeTakeFirst()
      return row && toRandomSong(row)
    },

    /** Picks a playable favorite with uniform probability. An excluded song is rejected and drawn again, so that the others stay equally probable. */
    pickRandom: async (uid: string, excludedSongId: string | undefined): Promise<RandomSong | undefined> => {
      const stateCount = await countFavorites(uid, queries)
      for (let drawIndex = 0; drawIndex < Math.min(RANDOM_DRAWS_MAX, stateCount); drawIndex++) {
        const drawnRow = await selectNewestFirst(queries, uid).select('f.song_id').limit(1).offset(randomInt(stateCount)).executeTakeFirst()
        const row = drawnRow && (await selectPlayable(uid, excludedSongId).where('f.song_id', '=', drawnRow.song_id).executeTakeFirst())
        if (row !== undefined) return toRandomSong(row)
      }
      const rows = await selectPlayable(uid, excludedSongId).execute()
      const row = rows[rows.length === 0 ? 0 : randomInt(rows.length)]
      return row && toRandomSong(row)
    },
  }
}
