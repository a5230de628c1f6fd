import { sql } from 'kysely'
import { FAVORITES_MAX } from '../../contract/favorite-limits.ts'
import type { Dialect, Queries } from '../storage/database.ts'
import type { LastWriteWinsRegister } from '../storage/merge.ts'
import { createEpoch, type SyncPosition, splitIntoBatches } from '../storage/sync.ts'

/**
 * Favorite states, by uid of an account of this server or of a Firebase project. A removed favorite keeps a row with `favorite` 0, because an earlier
 * change of another device may arrive later.
 */
interface FavoritesTable {
  uid: string
  song_id: string
  favorite: number
  changed_at: number
  device_id: string
  /** The time of the change by the device's clock, without a limit. `changed_at` is limited to the server's time. */
  claimed_at: number
  /** Version of the list at the row's last change. */
  version: number
}

/** Favorite lists. `version` is incremented for every changed row; versions of different epochs are not comparable. */
interface FavoriteListsTable {
  uid: string
  epoch: string
  version: number
}

declare module '../storage/schema.ts' {
  interface Tables {
    favorites: FavoritesTable
    favorite_lists: FavoriteListsTable
  }
}

/** Maximum number of removed favorites that are stored of an account. Above it, the older half is deleted. */
export const REMOVED_FAVORITES_MAX = 50_000

/** A change that can be applied: its song is in the catalogue, or it removes a favorite. */
export interface ApplicableChange {
  id: string
  songId: string
  isKnownSong: boolean
  merge: (stored: LastWriteWinsRegister<boolean> | undefined) => LastWriteWinsRegister<boolean> | undefined
}

/** The transaction that changes a list, and the functions of the database and the store that the change needs. */
export interface ListTransaction {
  queries: Queries
  dialect: Pick<Dialect, 'listOfTexts'>
  countFavorites: (uid: string, queries: Queries) => Promise<number>
}

const toRegister = (favoriteRow: FavoritesTable): LastWriteWinsRegister<boolean> => ({
  value: favoriteRow.favorite === 1,
  changedAtMs: favoriteRow.changed_at,
  deviceId: favoriteRow.device_id,
  claimedAtMs: favoriteRow.claimed_at,
})

/** Returns the account's list, created if missing, and locks its row until the transaction ends, so that changes are serialised. */
export const lockFavoriteList = (queries: Queries, uid: string): Promise<SyncPosition> =>
  queries
    .insertInto('favorite_lists')
    .values({ uid, epoch: createEpoch(), version: 0 })
    .onConflict((conflict) => conflict.column('uid').doUpdateSet((eb) => ({ version: eb.ref('favorite_lists.version') })))
    .returning(['epoch', 'version'])
    .executeTakeFirstOrThrow()

async function readStates(
  { queries, dialect }: ListTransaction,
  uid: string,
  songIds: readonly string[],
): Promise<Map<string, LastWriteWinsRegister<boolean>>> {
  const storedRows = await queries
    .selectFrom('favorites')
    .selectAll()
    .where('uid', '=', uid)
    .where(sql<boolean>`song_id in ${dialect.listOfTexts(songIds)}`)
    .execute()
  return new Map(storedRows.map((row) => [row.song_id, toRegister(row)]))
}

/**
 * Deletes the older half of an account's removals if they exceed `REMOVED_FAVORITES_MAX`. Returns a new epoch for the list, which invalidates all cursors,
 * because devices with an older cursor would miss the deleted removals.
 */
async function deleteOldRemovals(queries: Queries, uid: string): Promise<string | undefined> {
  const removedRows = queries.selectFrom('favorites').select('version').where('uid', '=', uid).where('favorite', '=', 0)
  const newestRemovalQuery = removedRows.orderBy('version', 'desc').limit(1)
  if ((await newestRemovalQuery.offset(REMOVED_FAVORITES_MAX).executeTakeFirst()) === undefined) return undefined
  await queries
    .deleteFrom('favorites')
    .where('uid', '=', uid)
    .where('favorite', '=', 0)
    .where('version', '<=', newestRemovalQuery.offset(REMOVED_FAVORITES_MAX / 2))
    .execute()
  return createEpoch()
}

async function storeStates(queries: Queries, favoriteRows: readonly FavoritesTable[]): Promise<void> {
  for (const rowBatch of splitIntoBatches(favoriteRows)) {
    await queries
      .insertInto('favorites')
      .values(rowBatch)
      .onConflict((conflict) =>
        conflict.columns(['uid', 'song_id']).doUpdateSet((eb) => ({
          favorite: eb.ref('excluded.favorite'),
          changed_at: eb.ref('excluded.changed_at'),
          device_id: eb.ref('excluded.device_id'),
          claimed_at: eb.ref('excluded.claimed_at'),
          version: eb.ref('excluded.version'),
        })),
      )
      .execute()
  }
}

/**
 * Applies changes to a locked list. Returns its new state, the ids of the changes that exceed the list's maximum length, and the ids of removals
 * without effect, whose song is neither stored nor in the catalogue.
 */
export async function applyChangesToList(
  listTransaction: ListTransaction,
  uid: string,
  listPosition: SyncPosition,
  applicableChanges: readonly ApplicableChange[],
) {
  const { queries } = listTransaction
  const knownStates = await readStates(
    listTransaction,
    uid,
    applicableChanges.map(({ songId }) => songId),
  )
  const rowBySongId = new Map<string, FavoritesTable>()
  const overLimitIds: string[] = []
  const ignoredIds: string[] = []
  let nextVersion = listPosition.version
  let favoriteCount: number | undefined
  for (const { id, songId, isKnownSong, merge } of applicableChanges) {
    const stateBefore = knownStates.get(songId)
    if (stateBefore === undefined && !isKnownSong) {
      ignoredIds.push(id)
      continue
    }
    const stateAfter = merge(stateBefore)
    if (stateAfter === undefined) continue
    const favoriteCountDelta = Number(stateAfter.value) - Number(stateBefore?.value ?? false)
    if (favoriteCountDelta !== 0) {
      favoriteCount ??= await listTransaction.countFavorites(uid, queries)
      if (favoriteCountDelta > 0 && favoriteCount >= FAVORITES_MAX) {
        overLimitIds.push(id)
        continue
      }
      favoriteCount += favoriteCountDelta
    }
    nextVersion += 1
    knownStates.set(songId, stateAfter)
    rowBySongId.set(songId, {
      uid,
      song_id: songId,
      favorite: Number(stateAfter.value),
      changed_at: stateAfter.changedAtMs,
      device_id: stateAfter.deviceId,
      claimed_at: stateAfter.claimedAtMs,
      version: nextVersion,
    })
  }
  await storeStates(queries, [...rowBySongId.values()])
  const hasRemovals = [...rowBySongId.values()].some((row) => row.favorite === 0)
  const changedList = { version: nextVersion, epoch: (hasRemovals && (await deleteOldRemovals(queries, uid))) || listPosition.epoch }
  if (nextVersion > listPosition.version) await queries.updateTable('favorite_lists').set(changedList).where('uid', '=', uid).execute()
  return { list: changedList, overLimitIds, ignoredIds }
}
