import type { ImportRow } from '../../contract/import.ts'
import { NO_CATEGORY_ID } from '../../contract/song-rules.ts'
import { toVideoSongRow } from '../catalogue/store-playlist-videos.ts'
import type { Database, Queries, SqlTypes } from '../storage/database.ts'
import { type CatalogueEdit, toSongRow } from '../storage/import/catalogue-edits.ts'
import { editCatalogue } from '../storage/import/importer.ts'
import { readPlaylistRow } from '../storage/import/reads.ts'
import { contextKinds } from '../storage/schema.ts'
import { type Act, type ActionEffects, type ActionOutcome, type ActionTarget, type ActOptions, insertAction } from './store-actions.ts'

export const createHiddenTables = ({ text }: SqlTypes): string[] => [
  `create table hidden_songs (song_id ${text} primary key, row ${text} not null, reason ${text} not null, since bigint not null)`,
  `create table hidden_playlists (playlist_id ${text} primary key, row ${text} not null, reason ${text} not null, since bigint not null)`,
  `create table hidden_places (
    song_id ${text} not null, playlist_id ${text} not null, position integer not null, primary key (song_id, playlist_id))`,
  `create table category_names (category_id ${text} primary key, name ${text} not null)`,
]

export type CatalogueItemKind = 'song' | 'playlist'

type FoundItem = ActionTarget & { kind: CatalogueItemKind; row: ImportRow<'songs'> | ImportRow<'playlists'> }

const songTables = [
  'playlist_videos',
  'unplayable_songs',
  'unplayable_reports',
  'unplayable_plays',
  'duration_reports',
  'learned_durations',
] as const

async function readHiddenItem(queries: Queries, kind: CatalogueItemKind, itemId: string): Promise<FoundItem | undefined> {
  const storedRow =
    kind === 'song'
      ? await queries.selectFrom('hidden_songs').select(['row', 'reason', 'since']).where('song_id', '=', itemId).executeTakeFirst()
      : await queries.selectFrom('hidden_playlists').select(['row', 'reason', 'since']).where('playlist_id', '=', itemId).executeTakeFirst()
  if (storedRow === undefined) return undefined
  const row: FoundItem['row'] = JSON.parse(storedRow.row)
  return { kind, id: itemId, title: row.title, row, hidden: { reason: storedRow.reason, since: new Date(storedRow.since).toISOString() } }
}

async function findItem(queries: Queries, kind: CatalogueItemKind, itemId: string): Promise<FoundItem | undefined> {
  const hiddenItem = await readHiddenItem(queries, kind, itemId)
  if (hiddenItem !== undefined) return hiddenItem
  if (kind === 'song') {
    const song = await queries.selectFrom('catalogue.songs').selectAll().where('youtube_id', '=', itemId).executeTakeFirst()
    if (song !== undefined) return { kind, id: itemId, title: song.title, row: toSongRow(song) }
    const video = await queries.selectFrom('playlist_videos').selectAll().where('song_id', '=', itemId).executeTakeFirst()
    return video && { kind, id: itemId, title: video.title, row: toSongRow({ ...toVideoSongRow(video), description: '' }) }
  }
  const row = await readPlaylistRow(queries, itemId)
  return row && { kind, id: itemId, title: row.title, row }
}

/** Whether an item is a video of own playlists, which an admin hides and deletes as a song. No change of the catalogue is needed for it. */
const isPlaylistVideo = ({ row }: FoundItem) => !('songs' in row) && row.category_id === NO_CATEGORY_ID

/** Returns the playlists that contain a song, with its zero-based places. */
const selectSongPlaces = (queries: Queries, songId: string) =>
  queries
    .selectFrom('catalogue.context_songs as cs')
    .innerJoin('catalogue.songs as s', 's.rank', 'cs.song_rank')
    .innerJoin('catalogue.contexts as c', 'c.no', 'cs.context_no')
    .select((eb) => ['c.id as playlist_id', eb('cs.position', '-', 1).as('position')])
    .where('s.youtube_id', '=', songId)
    .where('c.kind', '=', contextKinds.playlist)
    .execute()

async function countEffects(queries: Queries, item: FoundItem): Promise<ActionEffects> {
  if ('songs' in item.row) return { songs: item.row.songs.length }
  const { id } = item
  const { favorites, own_playlists, websites } = await queries
    .selectNoFrom((eb) => [
      eb
        .selectFrom('favorites')
        .select((f) => f.fn.count<number>('uid').as('n'))
        .where('song_id', '=', id)
        .where('favorite', '=', 1)
        .as('favorites'),
      eb
        .selectFrom('own_playlist_entries')
        .select((e) => e.fn.count<number>('uid').distinct().as('n'))
        .where('song_id', '=', id)
        .where('removed', '=', 0)
        .as('own_playlists'),
      eb
        .selectFrom('website_songs')
        .select((w) => w.fn.count<number>('uid').as('n'))
        .where('youtube_id', '=', id)
        .as('websites'),
    ])
    .executeTakeFirstOrThrow()
  return {
    playlists: (await selectSongPlaces(queries, id)).length,
    favorites: Number(favorites),
    own_playlists: Number(own_playlists),
    websites: Number(websites),
  }
}

const toTarget = ({ row: _row, ...item }: FoundItem): ActionTarget => item

async function storeHiddenRows(
  queries: Queries,
  { kind, id, row }: FoundItem,
  songPlaces: Awaited<ReturnType<typeof selectSongPlaces>>,
  adminAct: Act,
) {
  const hiddenColumns = { row: JSON.stringify(row), reason: adminAct.reason, since: adminAct.atMs }
  if (kind === 'playlist') {
    await queries
      .insertInto('hidden_playlists')
      .values({ playlist_id: id, ...hiddenColumns })
      .execute()
    return
  }
  await queries
    .insertInto('hidden_songs')
    .values({ song_id: id, ...hiddenColumns })
    .execute()
  for (const songPlace of songPlaces)
    await queries
      .insertInto('hidden_places')
      .values({ song_id: id, ...songPlace })
      .execute()
}

/** Deletes the rows that are stored for a hidden song or playlist, when it is shown again or deleted. */
async function deleteHiddenRows(queries: Queries, { kind, id }: FoundItem, isDeletion: boolean): Promise<void> {
  if (kind === 'playlist') {
    await queries.deleteFrom('hidden_playlists').where('playlist_id', '=', id).execute()
    await queries
      .deleteFrom('hidden_places')
      .where('playlist_id', '=', id)
      .$if(!isDeletion, (query) => query.where('song_id', 'not in', queries.selectFrom('hidden_songs').select('song_id')))
      .execute()
    return
  }
  await queries.deleteFrom('hidden_songs').where('song_id', '=', id).execute()
  await queries
    .deleteFrom('hidden_places')
    .where('song_id', '=', id)
    // A hidden playlist gets the song back when it is shown again.
    .$if(!isDeletion, (query) => query.where('playlist_id', 'not in', queries.selectFrom('hidden_playlists').select('playlist_id')))
    .execute()
  if (isDeletion) for (const table of songTables) await queries.deleteFrom(table).where('song_id', '=', id).execute()
}

/** The rows of the current catalogue that were read before a change, and the function that carries out the change. */
interface PreparedChange {
  outcome: ActionOutcome
  edit?: CatalogueEdit
  write?: (queries: Queries) => Promise<void>
}

/** The changes of the catalogue by admins. A change rebuilds the catalogue, unless it concerns a video of own playlists, and takes effect in all lists immediately. */
export function createCatalogueModeration(database: Database) {
  async function runChange(prepareChange: (queries: Queries) => Promise<PreparedChange>, isDryRun: boolean): Promise<ActionOutcome> {
    const preparedChange = await prepareChange(database.queries)
    const { write } = preparedChange
    if (isDryRun || write === undefined) return preparedChange.outcome
    if (preparedChange.edit === undefined) {
      await database.writeWithRevision(write)
      return preparedChange.outcome
    }
    let { outcome } = preparedChange
    await editCatalogue(database, async (queries) => {
      const prepared = await prepareChange(queries)
      outcome = prepared.outcome
      return prepared.edit && prepared.write && { edit: prepared.edit, write: prepared.write }
    })
    return outcome
  }

  /** Prepares a change of an item, unless the item is unknown or `isAlreadyDone`. */
  const prepareItem =
    (
      kind: CatalogueItemKind,
      itemId: string,
      isAlreadyDone: (item: FoundItem) => boolean,
      planChange: (queries: Queries, item: FoundItem) => Promise<Omit<PreparedChange, 'outcome'>>,
    ) =>
    async (queries: Queries): Promise<PreparedChange> => {
      const foundItem = await findItem(queries, kind, itemId)
      if (foundItem === undefined) return { outcome: { kind: 'unknown' } }
      if (isAlreadyDone(foundItem)) return { outcome: { kind: 'already', target: toTarget(foundItem) } }
      return {
        outcome: { kind: 'done', target: toTarget(foundItem), effects: await countEffects(queries, foundItem) },
        ...(await planChange(queries, foundItem)),
      }
    }

  return {
    /** Takes a song or playlist out of the catalogue until it is shown again. Imports do not bring it back. */
    hideItem: (kind: CatalogueItemKind, itemId: string, { act, isDryRun }: ActOptions): Promise<ActionOutcome> =>
      runChange(
        prepareItem(
          kind,
          itemId,
          (item) => item.hidden !== undefined,
          async (queries, foundItem) => {
            const songPlaces = kind === 'song' ? await selectSongPlaces(queries, itemId) : []
            return {
              ...(!isPlaylistVideo(foundItem) && { edit: { kind: kind === 'song' ? 'remove-song' : 'remove-playlist', id: itemId } }),
              write: async (writeQueries) => {
                await storeHiddenRows(writeQueries, foundItem, songPlaces, act)
                await insertAction(writeQueries, act, { target: `${kind} ${itemId}`, outcome: 'hidden' })
              },
            }
          },
        ),
        isDryRun,
      ),

    /** Puts a hidden song or playlist back where it was. */
    showItem: (kind: CatalogueItemKind, itemId: string, { act, isDryRun }: ActOptions): Promise<ActionOutcome> =>
      runChange(
        prepareItem(
          kind,
          itemId,
          (item) => item.hidden === undefined,
          async (_queries, foundItem) => ({
            ...(!isPlaylistVideo(foundItem) && {
              edit:
                'songs' in foundItem.row ? { kind: 'return-playlist', row: foundItem.row } : { kind: 'return-song', row: foundItem.row },
            }),
            write: async (writeQueries) => {
              await deleteHiddenRows(writeQueries, foundItem, false)
              await insertAction(writeQueries, act, { target: `${kind} ${itemId}`, outcome: 'shown' })
            },
          }),
        ),
        isDryRun,
      ),

    /** Deletes a song or playlist. An import that contains it adds it again; a video of own playlists can be looked up again. */
    deleteItem: (kind: CatalogueItemKind, itemId: string, { act, isDryRun }: ActOptions): Promise<ActionOutcome> =>
      runChange(
        prepareItem(
          kind,
          itemId,
          () => false,
          async (_queries, foundItem) => ({
            ...(foundItem.hidden === undefined &&
              !isPlaylistVideo(foundItem) && { edit: { kind: kind === 'song' ? 'remove-song' : 'remove-playlist', id: itemId } }),
            write: async (writeQueries) => {
              await deleteHiddenRows(writeQueries, foundItem, true)
              await insertAction(writeQueries, act, { target: `${kind} ${itemId}`, outcome: 'deleted' })
            },
          }),
        ),
        isDryRun,
      ),

    /** Sets the name of a category, which replaces the imported name. */
    renameCategory: (categoryId: string, categoryName: string, { act, isDryRun }: ActOptions): Promise<ActionOutcome> =>
      runChange(async (queries) => {
        const categoryRow = await queries
          .selectFrom('catalogue.contexts')
          .select(['category_name', 'song_count'])
          .where('id', '=', categoryId)
          .where('kind', '=', contextKinds.category)
          .executeTakeFirst()
        if (categoryRow === undefined) return { outcome: { kind: 'unknown' } }
        const actionTarget = { kind: 'category' as const, id: categoryId, title: categoryRow.category_name }
        if (categoryRow.category_name === categoryName) return { outcome: { kind: 'already', target: actionTarget } }
        return {
          outcome: { kind: 'done', target: actionTarget, effects: { songs: categoryRow.song_count } },
          edit: { kind: 'rename-category', id: categoryId, name: categoryName },
          write: async (writeQueries) => {
            await writeQueries
              .insertInto('category_names')
              .values({ category_id: categoryId, name: categoryName })
              .onConflict((conflict) => conflict.column('category_id').doUpdateSet({ name: categoryName }))
              .execute()
            await insertAction(writeQueries, act, { target: `category ${categoryId}`, outcome: `renamed to ${categoryName}` })
          },
        }
      }, isDryRun),

    /** Lists the hidden songs and playlists; those that were hidden last come first. */
    listHidden: async (): Promise<ActionTarget[]> => {
      const { queries } = database
      const hiddenSongs = await queries.selectFrom('hidden_songs').select('song_id as id').orderBy('since', 'desc').execute()
      const hiddenPlaylists = await queries.selectFrom('hidden_playlists').select('playlist_id as id').orderBy('since', 'desc').execute()
      const hiddenItems = [
        ...hiddenSongs.map(({ id }) => readHiddenItem(queries, 'song', id)),
        ...hiddenPlaylists.map(({ id }) => readHiddenItem(queries, 'playlist', id)),
      ]
      return (await Promise.all(hiddenItems)).flatMap((item) => (item === undefined ? [] : [toTarget(item)]))
    },
  }
}
