import { sql } from 'kysely'
import { foldText } from '../../contract/fold-text.ts'
import type { FollowChange, FollowedArtist, FollowSyncRequest, FollowSyncResult } from '../../contract/follow.ts'
import { FOLLOWS_MAX, followMessages } from '../../contract/follow-rules.ts'
import { deleteExcessChangeIds, readAppliedIds, storeNewChangeIds } from '../storage/applied-changes.ts'
import type { Database, Queries, SqlTypes } from '../storage/database.ts'
import { type LastWriteWinsRegister, mergeChange, parseChangeTime } from '../storage/merge.ts'
import { createEpoch, splitIntoBatches } from '../storage/sync.ts'

/**
 * The artists that accounts follow, by uid of an account of this server or of a Firebase project. An artist that is no longer followed keeps a row, because
 * an earlier change of another device may arrive later.
 */
interface FollowsTable {
  uid: string
  /** The folded name of the artist (`foldText`). */
  artist: string
  name: string
  following: number
  changed_at: number
  device_id: string
  /** The time of the change by the device's clock, without a limit. `changed_at` is limited to the server's time. */
  claimed_at: number
}

/**
 * The cursor, which a device compares with its own to know whether the followed artists have changed. Each change draws a new random
 * cursor, so that the cursor is never repeated after a backup was restored.
 */
interface FollowListsTable {
  uid: string
  cursor: string
}

declare module '../storage/schema.ts' {
  interface Tables {
    follows: FollowsTable
    follow_lists: FollowListsTable
  }
}

export const createFollowTables = ({ text }: SqlTypes): string[] => [
  `create table follows (
    uid ${text} not null, artist ${text} not null, name ${text} not null, following integer not null, changed_at bigint not null,
    device_id ${text} not null, claimed_at bigint not null, primary key (uid, artist))`,
  `create table follow_lists (uid ${text} primary key, cursor ${text} not null)`,
]

/** Maximum number of stored artists of an account that it no longer follows. The oldest are deleted. */
export const UNFOLLOWED_ARTISTS_MAX = 1000
/** The cursor of an account that has never followed an artist. */
const EMPTY_CURSOR = 'none'

/**
 * The row of the list is deleted first: this waits for the row's lock until a concurrent change has ended, so that the artists of that change are
 * deleted too.
 */
export async function deleteFollows(queries: Queries, uid: string): Promise<void> {
  await queries.deleteFrom('follow_lists').where('uid', '=', uid).execute()
  await queries.deleteFrom('follows').where('uid', '=', uid).execute()
}

async function storeRows(queries: Queries, followRows: readonly FollowsTable[]): Promise<void> {
  for (const rowBatch of splitIntoBatches(followRows))
    await queries
      .insertInto('follows')
      .values(rowBatch)
      .onConflict((conflict) =>
        conflict.columns(['uid', 'artist']).doUpdateSet((eb) => ({
          name: eb.ref('excluded.name'),
          following: eb.ref('excluded.following'),
          changed_at: eb.ref('excluded.changed_at'),
          device_id: eb.ref('excluded.device_id'),
          claimed_at: eb.ref('excluded.claimed_at'),
        })),
      )
      .execute()
}

async function deleteExcessUnfollowed(queries: Queries, uid: string): Promise<void> {
  const oldestChanges = queries
    .selectFrom('follows')
    .select('artist')
    .where('uid', '=', uid)
    .where('following', '=', 0)
    .orderBy('changed_at', 'desc')
    .orderBy('artist')
    // A limit is required, because SQLite does not support an offset without one.
    .limit(sql.lit(Number.MAX_SAFE_INTEGER))
    .offset(UNFOLLOWED_ARTISTS_MAX)
  await queries.deleteFrom('follows').where('uid', '=', uid).where('artist', 'in', oldestChanges).execute()
}

const toRegister = (followRow: FollowsTable): LastWriteWinsRegister<boolean> => ({
  value: followRow.following === 1,
  changedAtMs: followRow.changed_at,
  deviceId: followRow.device_id,
  claimedAtMs: followRow.claimed_at,
})

/** The artists that accounts follow. Whether an artist is followed is a register: the last change wins. */
export function createFollowStore(database: Database) {
  const { queries: readQueries, dialect } = database

  const listFollowed = async (uid: string): Promise<FollowedArtist[]> => {
    const followRows = await readQueries
      .selectFrom('follows')
      .select(['name', 'changed_at'])
      .where('uid', '=', uid)
      .where('following', '=', 1)
      .orderBy('changed_at', 'desc')
      .orderBy('artist')
      .execute()
    return followRows.map(({ name, changed_at }) => ({ artist: name, at: new Date(changed_at).toISOString() }))
  }

  async function findKnownArtists(foldedNames: readonly string[]): Promise<Set<string>> {
    const followRows = await readQueries
      .selectFrom('catalogue.artists')
      .select('folded')
      .where(sql<boolean>`folded in ${dialect.listOfTexts(foldedNames)}`)
      .execute()
    return new Set(followRows.map((row) => row.folded))
  }

  /** Applies the changes that were not applied before. Returns the refused changes. */
  async function applyChanges(uid: string, changes: readonly FollowChange[], nowMs: number): Promise<FollowSyncResult['refused']> {
    const knownArtists = await findKnownArtists(changes.map(({ artist }) => foldText(artist)))
    return database.write(async (queries) => {
      // The row is locked until the transaction ends, so that changes of an account are serialised.
      const newCursor = createEpoch()
      await queries
        .insertInto('follow_lists')
        .values({ uid, cursor: newCursor })
        .onConflict((conflict) => conflict.column('uid').doUpdateSet({ cursor: newCursor }))
        .execute()
      const storedRows = await queries.selectFrom('follows').selectAll().where('uid', '=', uid).execute()
      const rowByArtist = new Map(storedRows.map((row) => [row.artist, row]))
      const changedArtists = new Set<string>()
      const alreadyAppliedIds = await readAppliedIds(
        { queries, dialect },
        uid,
        changes.map(({ id }) => id.toLowerCase()),
      )
      const appliedIds = new Set<string>()
      const refusedChanges: FollowSyncResult['refused'] = []
      for (const { id, artist: artistName, follow, at, device } of changes) {
        const changeId = id.toLowerCase()
        if (alreadyAppliedIds.has(changeId) || appliedIds.has(changeId)) continue
        const foldedArtist = foldText(artistName)
        const rowBefore = rowByArtist.get(foldedArtist)
        if (rowBefore === undefined && !knownArtists.has(foldedArtist)) {
          // An artist that is not stored is not followed.
          if (follow) refusedChanges.push({ id, message: followMessages.noArtist })
          continue
        }
        const followChange = { value: follow, atMs: parseChangeTime(at, nowMs), deviceId: device.toLowerCase() }
        const mergedRegister = mergeChange(followChange, rowBefore && toRegister(rowBefore), nowMs)
        const followedCount = [...rowByArtist.values()].filter(({ following }) => following === 1).length
        if (mergedRegister?.value && rowBefore?.following !== 1 && followedCount >= FOLLOWS_MAX) {
          refusedChanges.push({ id, message: followMessages.full })
          continue
        }
        appliedIds.add(changeId)
        if (mergedRegister === undefined) continue
        changedArtists.add(foldedArtist)
        rowByArtist.set(foldedArtist, {
          ...{
            uid,
            artist: foldedArtist,
            name: follow || rowBefore === undefined ? artistName : rowBefore.name,
            following: Number(mergedRegister.value),
          },
          ...{ changed_at: mergedRegister.changedAtMs, device_id: mergedRegister.deviceId, claimed_at: mergedRegister.claimedAtMs },
        })
      }
      await storeRows(
        queries,
        [...rowByArtist.values()].filter(({ artist }) => changedArtists.has(artist)),
      )
      await deleteExcessUnfollowed(queries, uid)
      for (const batch of splitIntoBatches([...appliedIds])) await storeNewChangeIds(queries, uid, batch, nowMs)
      if (appliedIds.size > 0) await deleteExcessChangeIds(queries, uid)
      return refusedChanges
    })
  }

  return {
    /**
     * Applies a device's changes in one transaction, and returns all followed artists, unless the device already has the current ones. A request
     * without changes writes nothing.
     */
    sync: async (uid: string, { since, changes = [] }: FollowSyncRequest, nowMs: number): Promise<FollowSyncResult> => {
      const refusedChanges = changes.length === 0 ? [] : await applyChanges(uid, changes, nowMs)
      // The cursor is read before the artists. If a change comes between, the device gets the artists again with its next request.
      const followList = await readQueries.selectFrom('follow_lists').select('cursor').where('uid', '=', uid).executeTakeFirst()
      const storedCursor = followList?.cursor ?? EMPTY_CURSOR
      if (since === storedCursor) return { cursor: storedCursor, refused: refusedChanges }
      const latestFollowRow = await readQueries
        .selectFrom('follows')
        .select((eb) => eb.fn.max<number | null>('changed_at').as('changed_at'))
        .where('uid', '=', uid)
        .executeTakeFirst()
      const latestChangeAtMs = latestFollowRow?.changed_at ?? undefined
      return {
        cursor: storedCursor,
        artists: await listFollowed(uid),
        ...(latestChangeAtMs !== undefined && { latest: new Date(latestChangeAtMs).toISOString() }),
        refused: refusedChanges,
      }
    },
    /** Returns the artists that an account follows, the last followed first. */
    list: listFollowed,
  }
}
