import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { FavoriteChange, FavoriteSynced } from '../../contract/favorite.ts'
import { FAVORITES_FULL, FAVORITES_MAX } from '../../contract/favorite-limits.ts'
import { parseVideoId } from '../../contract/youtube.ts'
import { createAppliedChanges } from './applied-changes.ts'
import type { Database, Queries } from './database.ts'
import { type Standing, standingAfter, standingSet } from './favorite-merge.ts'
import { createFavoritePlaces } from './favorite-places.ts'
import { createFavoriteReads, isoOf } from './favorite-reads.ts'
import type { FavoriteListsTable, FavoritesTable } from './schema.ts'
import type { FavoriteStore } from './storage.ts'

/** How many songs an answer tells of at most. */
const TOLD_MAX = 2000
/** How many rows a statement writes: few different statements, and few of them. */
const WRITTEN_AT_ONCE = 50

const NO_SONG = 'There is no such song.'

type List = Pick<FavoriteListsTable, 'epoch' | 'version'>
/** A change of a song that is in the catalogue, or is to be taken out. */
interface Tapped {
  id: string
  songId: string
  standing: (known: Standing | undefined) => Standing | undefined
}

const newEpoch = () => randomBytes(8).toString('hex')
const cursorOf = ({ epoch, version }: List) => `${epoch}.${version}`
function readCursor(text: string | undefined): List | undefined {
  const [, epoch, version] = /^([0-9a-f]{16})\.(\d{1,15})$/.exec(text ?? '') ?? []
  return epoch === undefined ? undefined : { epoch, version: Number(version) }
}

const standingOf = (row: FavoritesTable): Standing => ({
  ...{ favorite: row.favorite === 1, changedAtMs: row.changed_at, deviceId: row.device_id, claimedAtMs: row.claimed_at },
})

function* parts<T>(rows: readonly T[]) {
  for (let at = 0; at < rows.length; at += WRITTEN_AT_ONCE) yield rows.slice(at, at + WRITTEN_AT_ONCE)
}

/** The list goes first: that waits for a sync under way, whose rows are then seen and go too. */
export async function forgetFavorites(queries: Queries, uid: string): Promise<void> {
  await queries.deleteFrom('favorite_lists').where('uid', '=', uid).execute()
  await queries.deleteFrom('favorites').where('uid', '=', uid).execute()
  await queries.deleteFrom('applied_changes').where('owner', '=', uid).execute()
}

/** An account's list, made where there is none. Its row is held until the transaction ends: changes of it come one after the other. */
const holdList = (queries: Queries, uid: string): Promise<List> =>
  queries
    .insertInto('favorite_lists')
    .values({ uid, epoch: newEpoch(), version: 0 })
    .onConflict((conflict) => conflict.column('uid').doUpdateSet((eb) => ({ version: eb.ref('favorite_lists.version') })))
    .returning(['epoch', 'version'])
    .executeTakeFirstOrThrow()

export function createFavoriteStore(database: Database): FavoriteStore {
  const { queries: reading, dialect } = database
  const reads = createFavoriteReads(database)
  const appliedChanges = createAppliedChanges()

  async function knownSongs(songIds: readonly string[]): Promise<Set<string>> {
    if (songIds.length === 0) return new Set()
    const rows = await reading
      .selectFrom('catalogue.songs')
      .select('youtube_id')
      .where(sql<boolean>`youtube_id in ${dialect.listOfTexts(songIds)}`)
      .execute()
    return new Set(rows.map((row) => row.youtube_id))
  }

  async function appliedAmong(queries: Queries, uid: string, ids: readonly string[]): Promise<Set<string>> {
    const rows = await queries
      .selectFrom('applied_changes')
      .select('id')
      .where('owner', '=', uid)
      .where(sql<boolean>`id in ${dialect.listOfTexts(ids)}`)
      .execute()
    return new Set(rows.map((row) => row.id))
  }

  async function standings(queries: Queries, uid: string, songIds: readonly string[]): Promise<Map<string, Standing>> {
    const rows = await queries
      .selectFrom('favorites')
      .selectAll()
      .where('uid', '=', uid)
      .where(sql<boolean>`song_id in ${dialect.listOfTexts(songIds)}`)
      .execute()
    return new Map(rows.map((row) => [row.song_id, standingOf(row)]))
  }

  /** Applies changes to the list that is held. Gives its new version, and the ids of those for which there is no room. */
  async function apply(queries: Queries, uid: string, list: List, tapped: readonly Tapped[]) {
    const known = await standings(
      queries,
      uid,
      tapped.map(({ songId }) => songId),
    )
    const rows = new Map<string, FavoritesTable>()
    const full: string[] = []
    let version = list.version
    let count: number | undefined
    for (const { id, songId, standing } of tapped) {
      const before = known.get(songId)
      const after = standing(before)
      if (after === undefined) continue
      const change = Number(after.favorite) - Number(before?.favorite ?? false)
      if (change !== 0) {
        count ??= await reads.count(uid, queries)
        if (change > 0 && count >= FAVORITES_MAX) {
          full.push(id)
          continue
        }
        count += change
      }
      version += 1
      known.set(songId, after)
      rows.set(songId, {
        ...{ uid, song_id: songId, favorite: Number(after.favorite), changed_at: after.changedAtMs },
        ...{ device_id: after.deviceId, claimed_at: after.claimedAtMs, version },
      })
    }
    for (const part of parts([...rows.values()])) {
      await queries
        .insertInto('favorites')
        .values(part)
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
    if (version > list.version) await queries.updateTable('favorite_lists').set({ version }).where('uid', '=', uid).execute()
    return { version, full }
  }

  /** Applies those of a device's changes that are not applied yet. Gives the list before and after, and what was refused. */
  async function applyChanges(uid: string, changes: readonly FavoriteChange[], nowMs: number) {
    const named = changes.map(({ s, at, ...change }) => ({
      ...change,
      ...{ id: change.id.toLowerCase(), songId: parseVideoId(s) },
      // A leap second, say.
      atMs: Number.isNaN(Date.parse(at)) ? nowMs : Date.parse(at),
      deviceId: change.device.toLowerCase(),
    }))
    const songs = await knownSongs(named.flatMap(({ songId, favorite }) => (favorite && songId !== undefined ? [songId] : [])))
    return database.write(async (queries) => {
      const before = await holdList(queries, uid)
      if (named.length === 0) return { before, version: before.version, refused: [] }
      const done = await appliedAmong(
        queries,
        uid,
        named.map(({ id }) => id),
      )
      const tapped: Tapped[] = []
      const refused: FavoriteSynced['refused'] = []
      for (const { id, songId, ...tap } of named) {
        if (done.has(id)) continue
        done.add(id)
        if (songId === undefined || (tap.favorite && !songs.has(songId))) refused.push({ id, message: NO_SONG })
        else tapped.push({ id, songId, standing: (known) => standingAfter(tap, known, nowMs) })
      }
      const { version, full } = tapped.length === 0 ? { ...before, full: [] } : await apply(queries, uid, before, tapped)
      refused.push(...full.map((id) => ({ id, message: FAVORITES_FULL })))
      const withoutRoom = new Set(full)
      const applied = tapped.flatMap(({ id }) => (withoutRoom.has(id) ? [] : [id]))
      for (const part of parts(applied)) await appliedChanges.remember(queries, uid, part, nowMs)
      const sentAs = new Map(changes.map(({ id }) => [id.toLowerCase(), id]))
      return { before, version, refused: refused.map(({ id, message }) => ({ id: sentAs.get(id) ?? id, message })) }
    })
  }

  return {
    sync: async (uid, { since, changes = [] }, nowMs, view) => {
      const known = readCursor(since)
      const list = changes.length > 0 ? undefined : await reads.list(uid)
      const { before, version, refused } =
        list === undefined ? await applyChanges(uid, changes, nowMs) : { before: list, version: list.version, refused: [] }
      // A version that the list had not reached was told by one that is no longer: by a backup's successor.
      const isKnown = known !== undefined && known.epoch === before.epoch && known.version <= before.version
      const from = isKnown ? known.version : 0
      const told = from === version ? [] : await reads.changedSince(uid, from, { withRemoved: isKnown, limit: TOLD_MAX + 1 })
      const more = told.length > TOLD_MAX
      const rows = more ? told.slice(0, TOLD_MAX) : told
      // What was changed meanwhile may be among them.
      const last = rows.at(-1)?.version ?? 0
      return {
        cursor: cursorOf({ epoch: before.epoch, version: more ? last : Math.max(version, last) }),
        whole: !isKnown,
        more,
        favorites: await reads.statesOf(rows, view),
        refused,
      }
    },
    set: async (uid, songId, favorite, nowMs) => {
      if (favorite && !(await knownSongs([songId])).has(songId)) return 'no-song'
      return database.write(async (queries) => {
        const list = await holdList(queries, uid)
        const { full } = await apply(queries, uid, list, [{ id: '', songId, standing: (known) => standingSet(favorite, known, nowMs) }])
        return full.length === 0 ? 'set' : 'full'
      })
    },
    has: createFavoritePlaces(reading).has,
    all: reads.all,
    latest: reads.latest,
    random: reads.random,
    export: async (uid) => (await reads.entries(uid)).map(({ song_id, changed_at }) => ({ s: song_id, at: isoOf(changed_at) })),
    renew: () =>
      database.write(async (queries) => {
        const { numUpdatedRows } = await queries.updateTable('favorite_lists').set({ epoch: newEpoch() }).executeTakeFirst()
        return Number(numUpdatedRows)
      }),
    forget: (uid) => database.write((queries) => forgetFavorites(queries, uid)),
  }
}
