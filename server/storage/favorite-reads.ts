import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import type { FavoriteState } from '../../contract/favorite.ts'
import type { RandomSong, Song } from '../../contract/song.ts'
import { watchUrl } from '../../contract/youtube.ts'
import type { Database, Queries } from './database.ts'
import { prepared } from './prepared.ts'
import type { FavoriteListsTable, FavoritesTable } from './schema.ts'
import { songColumns, songOf } from './song-rows.ts'
import type { Page, SongView } from './storage.ts'

/** Draws that may hit a song that is left out before all are looked at. */
const DRAWS = 16

type Changed = Pick<FavoritesTable, 'song_id' | 'favorite' | 'changed_at' | 'version'>

export const isoOf = (ms: number) => new Date(ms).toISOString()

const newestFirst = (queries: Queries, uid: string) =>
  queries
    .selectFrom('favorites as f')
    .where('f.uid', '=', uid)
    .where('f.favorite', '=', 1)
    .orderBy('f.changed_at', 'desc')
    // What came later, of one time: the taps of a call keep their order.
    .orderBy('f.version', 'desc')

/** What is read of favorites. */
export function createFavoriteReads({ queries, dialect }: Database) {
  const list = prepared<{ uid: string }, Pick<FavoriteListsTable, 'epoch' | 'version'>>(queries, ['uid'], ({ uid }) =>
    queries.selectFrom('favorite_lists').select(['epoch', 'version']).where('uid', '=', uid),
  )

  const count = async (uid: string, from: Queries) => {
    const counted = await from
      .selectFrom('favorites')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('uid', '=', uid)
      .where('favorite', '=', 1)
      .executeTakeFirstOrThrow()
    return counted.count
  }

  const withSongs = (uid: string) => newestFirst(queries, uid).innerJoin('catalogue.songs as s', 's.youtube_id', 'f.song_id')
  const chosen = ({ youtube_id, title, category_id }: Omit<RandomSong, 'youtube_url'>): RandomSong => ({
    ...{ youtube_id, youtube_url: watchUrl(youtube_id), title, category_id },
  })

  /** The favorites that may be drawn, in order. */
  const drawable = (uid: string, notSongId: string | undefined) =>
    withSongs(uid)
      .leftJoin('unplayable_songs as u', 'u.song_id', 's.youtube_id')
      .select(['s.youtube_id', 's.title', 's.category_id'])
      .where('u.song_id', 'is', null)
      .where('f.song_id', '<>', notSongId ?? '')

  /** Its version. */
  const lastTapped = (uid: string) =>
    queries
      .selectFrom('favorites')
      .select('version')
      .where('uid', '=', uid)
      .orderBy('changed_at', 'desc')
      .orderBy('favorite', 'desc')
      .orderBy('version', 'desc')
      .limit(1)

  return {
    count,
    entries: (uid: string) => newestFirst(queries, uid).select(['f.song_id', 'f.changed_at']).execute(),
    list: async (uid: string) => (await list({ uid }))[0],

    /**
     * What has a later version, in their order; without `withRemoved` what is a favorite, and the song that was tapped last whatever it is: a
     * device goes by the latest tap that it has heard of.
     */
    changedSince: (uid: string, version: number, { withRemoved, limit }: { withRemoved: boolean; limit: number }): Promise<Changed[]> =>
      queries
        .selectFrom('favorites')
        .select(['song_id', 'favorite', 'changed_at', 'version'])
        .where('uid', '=', uid)
        .where('version', '>', version)
        .$if(!withRemoved, (query) => query.where((eb) => eb.or([eb('favorite', '=', 1), eb('version', '=', lastTapped(uid))])))
        .orderBy('version')
        .limit(limit)
        .execute(),

    statesOf: async (rows: readonly Changed[], view: SongView): Promise<FavoriteState[]> => {
      const ids = rows.flatMap((row) => (row.favorite === 1 ? [row.song_id] : []))
      const found =
        ids.length === 0
          ? []
          : await queries
              .selectFrom('catalogue.songs as s')
              .select(songColumns)
              .where(sql<boolean>`s.youtube_id in ${dialect.listOfTexts(ids)}`)
              .execute()
      const songs = new Map(found.map((row) => [row.youtube_id, songOf(row, view)]))
      return rows.map((row) => {
        const song = row.favorite === 1 ? songs.get(row.song_id) : undefined
        return { s: row.song_id, favorite: row.favorite === 1, at: isoOf(row.changed_at), ...(song && { song }) }
      })
    },

    all: async (uid: string, { limit, offset }: Page, view: SongView): Promise<Song[]> => {
      const rows = await withSongs(uid).select(songColumns).limit(limit).offset(offset).execute()
      return rows.map((row) => songOf(row, view))
    },

    latest: async (uid: string): Promise<RandomSong | undefined> => {
      const row = await withSongs(uid).select(['s.youtube_id', 's.title', 's.category_id']).limit(1).executeTakeFirst()
      return row && chosen(row)
    },

    /** A draw that hits a song to be left out is drawn again, which keeps the others equally likely. */
    random: async (uid: string, notSongId: string | undefined): Promise<RandomSong | undefined> => {
      const total = await count(uid, queries)
      for (let draw = 0; draw < Math.min(DRAWS, total); draw++) {
        const drawn = await newestFirst(queries, uid).select('f.song_id').limit(1).offset(randomInt(total)).executeTakeFirst()
        const row = drawn && (await drawable(uid, notSongId).where('f.song_id', '=', drawn.song_id).executeTakeFirst())
        if (row !== undefined) return chosen(row)
      }
      const rows = await drawable(uid, notSongId).execute()
      const row = rows[rows.length === 0 ? 0 : randomInt(rows.length)]
      return row && chosen(row)
    },
  }
}
