import { sql } from 'kysely'
import type { OwnPlaylistEntryState, OwnPlaylistState } from '../../contract/own-playlist.ts'
import type { Song } from '../../contract/song.ts'
import { createPlaylistVideoStore } from '../catalogue/store-playlist-videos.ts'
import { type SongReadOptions, songColumns, toSong } from '../catalogue/store-song-rows.ts'
import type { Database, Queries } from '../storage/database.ts'
import type { Pagination } from '../storage/pagination.ts'
import type { OwnPlaylistEntryRow, OwnPlaylistRow } from './store-rows.ts'

/** Maximum number of entries in a sync response. */
const MAX_ENTRIES_PER_RESPONSE = 2000

const toIsoTime = (ms: number) => new Date(ms).toISOString()

const stateColumns = ['id', 'title', 'description', 'deleted', 'deleted_at', 'created', 'share_token', 'indexed', 'hidden'] as const

type PlaylistStateRow = Pick<OwnPlaylistRow, (typeof stateColumns)[number]>

const toPlaylistState = (row: PlaylistStateRow): OwnPlaylistState => ({
  l: row.id,
  title: row.title,
  description: row.description,
  deleted: row.deleted === 1,
  ...(row.deleted_at !== null && { deleted_at: toIsoTime(row.deleted_at) }),
  at: toIsoTime(row.created),
  ...(row.share_token !== null && row.deleted === 0 && { share: { token: row.share_token, indexed: row.indexed === 1 } }),
  ...(row.hidden !== '' && { hidden: row.hidden }),
})

type PlaylistEntryRow = Pick<OwnPlaylistEntryRow, 'playlist_id' | 'id' | 'song_id' | 'position' | 'removed' | 'added' | 'version'>

const toEntryState = (row: PlaylistEntryRow): OwnPlaylistEntryState => ({
  l: row.playlist_id,
  e: row.id,
  s: row.song_id,
  position: row.position,
  removed: row.removed === 1,
  at: toIsoTime(row.added),
})

/** The range of versions whose rows are read. */
interface VersionRange {
  above: number
  upTo: number
}

/**
 * Reads the rows of an account with a version in a range: all playlists, and a page of the entries. Rows with a higher version, which other devices
 * have changed since, are left for the next call. `version` is the version up to which the rows are complete.
 */
export async function readChanges(queries: Queries, uid: string, { above, upTo }: VersionRange, options: { withRemoved: boolean }) {
  const playlistRows = await queries
    .selectFrom('own_playlists')
    .select(stateColumns)
    .where('uid', '=', uid)
    .where('version', '>', above)
    .where('version', '<=', upTo)
    .orderBy('version')
    .execute()
  const entryRows = await queries
    .selectFrom('own_playlist_entries')
    .select(['playlist_id', 'id', 'song_id', 'position', 'removed', 'added', 'version'])
    .where('uid', '=', uid)
    .where('version', '>', above)
    .where('version', '<=', upTo)
    .$if(!options.withRemoved, (query) => query.where('removed', '=', 0))
    .orderBy('version')
    .limit(MAX_ENTRIES_PER_RESPONSE + 1)
    .execute()
  const hasMore = entryRows.length > MAX_ENTRIES_PER_RESPONSE
  const pageRows = hasMore ? entryRows.slice(0, MAX_ENTRIES_PER_RESPONSE) : entryRows
  return {
    playlists: playlistRows.map(toPlaylistState),
    entries: pageRows.map(toEntryState),
    hasMore,
    version: hasMore ? (pageRows.at(-1)?.version ?? upTo) : upTo,
  }
}

/** Queries that read own playlists outside of transactions. */
export function createOwnPlaylistQueries(database: Database) {
  const { queries, dialect } = database
  const { listVideoSongs } = createPlaylistVideoStore(database)
  /** Selects the entries whose songs visitors may see: songs of the catalogue, and stored videos that are not hidden. */
  const selectSharedEntries = (uid: string, playlistId: string) =>
    queries
      .selectFrom('own_playlist_entries as e')
      .leftJoin('catalogue.songs as s', 's.youtube_id', 'e.song_id')
      .where('e.uid', '=', uid)
      .where('e.playlist_id', '=', playlistId)
      // A literal instead of a bound parameter lets SQLite use the partial index.
      .where('e.removed', '=', sql.lit(0))
      .where((eb) =>
        eb.or([
          eb('s.youtube_id', 'is not', null),
          eb.and([
            eb.exists(eb.selectFrom('playlist_videos as v').select('v.song_id').whereRef('v.song_id', '=', 'e.song_id')),
            eb.not(eb.exists(eb.selectFrom('hidden_songs as h').select('h.song_id').whereRef('h.song_id', '=', 'e.song_id'))),
          ]),
        ]),
      )

  /** Returns the songs with the given ids that the catalogue has, and the stored videos with the others, in any order. */
  async function readSongs(songIds: readonly string[], readOptions: SongReadOptions): Promise<Song[]> {
    if (songIds.length === 0) return []
    const songRows = await queries
      .selectFrom('catalogue.songs as s')
      .select(songColumns)
      .where(sql<boolean>`s.youtube_id in ${dialect.listOfTexts(songIds)}`)
      .execute()
    const catalogueIds = new Set(songRows.map((row) => row.youtube_id))
    const videos = await listVideoSongs(songIds.filter((id) => !catalogueIds.has(id)))
    return [...songRows.map((row) => toSong(row, readOptions)), ...videos]
  }

  return {
    readPosition: (uid: string) =>
      queries.selectFrom('own_playlist_positions').select(['epoch', 'version', 'latest']).where('uid', '=', uid).executeTakeFirst(),

    /** Returns the songs of entries, each once, without those that neither the catalogue nor a stored video has. */
    songsOf: (changedEntries: readonly OwnPlaylistEntryState[], readOptions: SongReadOptions): Promise<Song[]> =>
      readSongs([...new Set(changedEntries.flatMap(({ s, removed }) => (removed ? [] : [s])))], readOptions),

    countSongs: async (uid: string, playlistId: string): Promise<number> =>
      (
        await selectSharedEntries(uid, playlistId)
          .select((eb) => eb.fn.countAll<number>().as('count'))
          .executeTakeFirstOrThrow()
      ).count,

    listSongs: async (uid: string, playlistId: string, { limit, offset }: Pagination, readOptions: SongReadOptions): Promise<Song[]> => {
      const entriesInOrder = selectSharedEntries(uid, playlistId).select('e.song_id').orderBy('e.position').orderBy('e.id')
      const songIds = (await entriesInOrder.limit(limit).offset(offset).execute()).map((row) => row.song_id)
      const songById = new Map((await readSongs([...new Set(songIds)], readOptions)).map((song) => [song.youtube_id, song]))
      return songIds.flatMap((id) => songById.get(id) ?? [])
    },
  }
}
