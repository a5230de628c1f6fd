import { createPlaylistSongsKey, createSongVisitKey, estimateRowBytes } from './catalogue-rows.ts'
import type { LocalDatabase, OutboxRow, Tables } from './local-database.ts'

/**
 * The maximum numbers and bytes of cached rows on this device. Rows that are never evicted, such as those of pinned playlists, are not
 * counted.
 */
export interface CacheLimits {
  songs: number
  lists: number
  details: number
  bytes: number
}
export const CACHE_LIMITS: CacheLimits = { songs: 60_000, lists: 400, details: 2_000, bytes: 48 * 1024 * 1024 }

/** Rows that must not be evicted: the keys of lists and details on screen, and the songs that the player may need. */
export interface ProtectedCacheRows {
  keys: readonly string[]
  songIds: readonly string[]
}

/** The cached rows, the songs of each list, and the average sizes of rows. `details` contains the keys of the song details. */
export interface CacheInventory {
  lists: readonly { key: string; ids: readonly string[] }[]
  details: readonly string[]
  songIds: readonly string[]
  /** When each list or detail was last used, by its key. A list or detail whose key is missing was never used. */
  usedAtMs: ReadonlyMap<string, number>
  pinnedKeys: ReadonlySet<string>
  songBytes: number
  detailBytes: number
}

export interface EvictionPlan {
  lists: string[]
  details: string[]
  songIds: string[]
}

const LISTED_SONG_ID_BYTES = 14
/** Keys of lists that are never evicted: they are few, and their rows are in tables other than that of the songs. */
const UNEVICTABLE_KEY_PATTERN = /^(playlists:|(explore|feed|members|testimonials|supporters)$)/

/**
 * Returns the rows to remove so that the others are within the limits: first songs that are in no list, then the least recently used lists and
 * details, with the songs that are in no other list. Pinned and referenced rows are never removed, even above the limits.
 */
export function planEviction(inventory: CacheInventory, limits: CacheLimits, protectedRows: ProtectedCacheRows): EvictionPlan {
  const retainedKeys = new Set([...protectedRows.keys, ...inventory.pinnedKeys])
  const referencedSongs = new Set(protectedRows.songIds)
  const listCountBySongId = new Map<string, number>(inventory.songIds.map((id) => [id, 0]))
  for (const { ids } of inventory.lists)
    for (const id of new Set(ids)) if (listCountBySongId.has(id)) listCountBySongId.set(id, (listCountBySongId.get(id) ?? 0) + 1)

  let songCount = inventory.songIds.length
  let listCount = inventory.lists.length
  let detailCount = inventory.details.length
  let listBytes = inventory.lists.reduce((sum, list) => sum + list.ids.length * LISTED_SONG_ID_BYTES, 0)
  const findExceededLimits = () => ({
    songs: songCount > limits.songs,
    lists: listCount > limits.lists,
    details: detailCount > limits.details,
    bytes: songCount * inventory.songBytes + detailCount * inventory.detailBytes + listBytes > limits.bytes,
  })
  const evictionPlan: EvictionPlan = { lists: [], details: [], songIds: [] }

  const removeSong = (songId: string) => {
    evictionPlan.songIds.push(songId)
    songCount -= 1
  }
  if (findExceededLimits().songs || findExceededLimits().bytes)
    for (const [id, count] of listCountBySongId) if (count === 0 && !referencedSongs.has(id)) removeSong(id)

  const evictionCandidates = [
    ...inventory.lists
      .filter(({ key }) => !UNEVICTABLE_KEY_PATTERN.test(key))
      .map((list) => ({ kind: 'list' as const, key: list.key, ids: list.ids })),
    ...inventory.details.map((key) => ({ kind: 'detail' as const, key, ids: [] })),
  ]
    .filter(({ key }) => !retainedKeys.has(key))
    .sort((a, b) => (inventory.usedAtMs.get(a.key) ?? 0) - (inventory.usedAtMs.get(b.key) ?? 0))
  for (const evictionCandidate of evictionCandidates) {
    const limitsExceeded = findExceededLimits()
    if (
      evictionCandidate.kind === 'list'
        ? !(limitsExceeded.songs || limitsExceeded.lists || limitsExceeded.bytes)
        : !(limitsExceeded.details || limitsExceeded.bytes)
    )
      continue
    if (evictionCandidate.kind === 'detail') {
      evictionPlan.details.push(evictionCandidate.key)
      detailCount -= 1
      continue
    }
    evictionPlan.lists.push(evictionCandidate.key)
    listCount -= 1
    listBytes -= evictionCandidate.ids.length * LISTED_SONG_ID_BYTES
    for (const songId of new Set(evictionCandidate.ids)) {
      const listCount = listCountBySongId.get(songId)
      if (listCount === undefined) continue
      listCountBySongId.set(songId, listCount - 1)
      if (listCount === 1 && !referencedSongs.has(songId)) removeSong(songId)
    }
  }
  return evictionPlan
}

const SAMPLED_ROW_COUNT = 50

async function readInventory(tables: Tables): Promise<CacheInventory> {
  const [listRows, detailKeys, songIds, visitRows, pinnedPlaylistIds] = [
    await tables.lists.all(),
    await tables.details.keys(),
    await tables.songs.keys(),
    await tables.visits.all(),
    await tables.pinned.keys(),
  ]
  const nowMs = Date.now()
  return {
    lists: listRows,
    details: detailKeys.map(createSongVisitKey),
    songIds,
    // A time in the future comes from a wrong clock. The list or detail counts as never used, so that it can be evicted.
    usedAtMs: new Map(visitRows.map((row) => [row.key, row.usedAtMs > nowMs ? 0 : row.usedAtMs])),
    pinnedKeys: new Set(pinnedPlaylistIds.map(createPlaylistSongsKey)),
    songBytes: computeAverageBytes(await tables.songs.page('', SAMPLED_ROW_COUNT)),
    detailBytes: computeAverageBytes(await tables.details.page('', SAMPLED_ROW_COUNT)),
  }
}

const computeAverageBytes = (rows: readonly unknown[]) =>
  rows.length === 0 ? 0 : rows.reduce<number>((sum, row) => sum + estimateRowBytes(row), 0) / rows.length

/** Returns the songs that a waiting change adds to favorites or own playlists. */
function listChangedSongIds(row: OutboxRow): string[] {
  if (row.call === 'POST /favorite/sync') return [row.body.s]
  return row.call === 'POST /list/sync' ? (row.body.entries ?? []).flatMap(({ s }) => s ?? []) : []
}

/**
 * Adds the songs of the favorites and own playlists of all accounts on this device, including changes in the outbox, to the rows that must not be
 * evicted.
 */
async function readReferences(tables: Tables, { keys, songIds }: ProtectedCacheRows): Promise<ProtectedCacheRows> {
  const favoriteIds = (await tables.favorites.all()).flatMap(({ ids }) => ids)
  const playlistSongIds = (await tables.ownPlaylists.all()).flatMap((row) => row.songIds)
  const changedIds = (await tables.outbox.all()).flatMap(listChangedSongIds)
  return { keys, songIds: [...songIds, ...favoriteIds, ...playlistSongIds, ...changedIds] }
}

async function readAndPlanEviction(
  database: LocalDatabase,
  protectedRows: ProtectedCacheRows,
  limitsOf: (inventory: CacheInventory, references: ProtectedCacheRows) => CacheLimits,
): Promise<EvictionPlan> {
  const [cacheInventory, allProtectedRows] = await database.read(
    async (tables) => [await readInventory(tables), await readReferences(tables, protectedRows)] as const,
  )
  return planEviction(cacheInventory, limitsOf(cacheInventory, allProtectedRows), allProtectedRows)
}

/**
 * Raises the limits by the songs that must not be evicted: those of pinned playlists and the referenced songs. Otherwise many such songs
 * would displace all other rows.
 */
function addRetainedSongsToLimits(
  limits: CacheLimits,
  { lists, pinnedKeys, songIds, songBytes }: CacheInventory,
  protectedRows: ProtectedCacheRows,
): CacheLimits {
  const retainedIds = new Set([...protectedRows.songIds, ...lists.flatMap(({ key, ids }) => (pinnedKeys.has(key) ? ids : []))])
  const retainedCount = songIds.filter((id) => retainedIds.has(id)).length
  return { ...limits, songs: limits.songs + retainedCount, bytes: limits.bytes + retainedCount * (songBytes + LISTED_SONG_ID_BYTES) }
}

/** Removes cached rows until they are within `limits`. Returns the number of removed rows. */
export async function evictAboveLimits(database: LocalDatabase, limits: CacheLimits, protectedRows: ProtectedCacheRows): Promise<number> {
  return removeRows(
    database,
    await readAndPlanEviction(database, protectedRows, (inventory, retained) => addRetainedSongsToLimits(limits, inventory, retained)),
  )
}

/** Removes about half of the cached rows that are not pinned. Returns the number of removed rows. */
export async function evictHalf(database: LocalDatabase, protectedRows: ProtectedCacheRows): Promise<number> {
  const halveInventory = ({ songIds, lists, details }: CacheInventory): CacheLimits => ({
    songs: songIds.length / 2,
    lists: lists.length / 2,
    details: details.length / 2,
    bytes: Number.POSITIVE_INFINITY,
  })
  return removeRows(database, await readAndPlanEviction(database, protectedRows, halveInventory))
}

/** Removes all cached rows that are neither pinned nor referenced. Returns the number of removed rows. */
export const clearCache = (database: LocalDatabase, references: ProtectedCacheRows): Promise<number> =>
  evictAboveLimits(database, { songs: 0, lists: 0, details: 0, bytes: 0 }, references)

async function removeRows(database: LocalDatabase, evictionPlan: EvictionPlan): Promise<number> {
  const removedCount = evictionPlan.lists.length + evictionPlan.details.length + evictionPlan.songIds.length
  if (removedCount === 0) return 0
  const keyPrefix = createSongVisitKey('')
  await database.change(async (tables) => {
    await tables.lists.remove(evictionPlan.lists)
    await tables.details.remove(evictionPlan.details.map((key) => key.slice(keyPrefix.length)))
    await tables.songs.remove(evictionPlan.songIds)
    await tables.visits.remove([...evictionPlan.lists, ...evictionPlan.details])
  })
  return removedCount
}
