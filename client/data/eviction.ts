import { playlistSongsKey, rowBytes, songVisitKey } from './catalogue-rows.ts'
import { isTap } from './favorite-rows.ts'
import { readOnce } from './memory-store.ts'
import type { CatalogueStore, Tables } from './store.ts'

/** What this device keeps at most, beside what a person chose to keep. */
export interface Limits {
  songs: number
  lists: number
  details: number
  bytes: number
}
export const LIMITS: Limits = { songs: 60_000, lists: 400, details: 2_000, bytes: 48 * 1024 * 1024 }

/** What must stay: the keys of lists and details on screen, and the songs that the player may need. */
export interface Spared {
  keys: readonly string[]
  songIds: readonly string[]
}

/** The rows of this device as eviction sees them. `size` in bytes; a detail's key is that of its visit. */
export interface Holdings {
  lists: readonly { key: string; ids: readonly string[] }[]
  details: readonly string[]
  songIds: readonly string[]
  /** When each list or detail was last used; what is missing was never. */
  usedAtMs: ReadonlyMap<string, number>
  keptKeys: ReadonlySet<string>
  songBytes: number
  detailBytes: number
}

export interface Removal {
  lists: string[]
  details: string[]
  songIds: string[]
}

const ID_BYTES = 14
/** The lists of playlists are few, small, and on every page. */
const alwaysKept = /^(playlists:|explore$|feed$)/

/**
 * What goes so that the rest keeps the limits: first songs that no list holds, then lists and details, the longest unused
 * first, with the songs that only they held. What is kept by choice or spared stays, whatever the limits say.
 */
export function planEviction(holdings: Holdings, limits: Limits, spared: Spared): Removal {
  const stays = new Set([...spared.keys, ...holdings.keptKeys])
  const sparedSongs = new Set(spared.songIds)
  const holders = new Map<string, number>(holdings.songIds.map((id) => [id, 0]))
  for (const { ids } of holdings.lists) for (const id of new Set(ids)) if (holders.has(id)) holders.set(id, (holders.get(id) ?? 0) + 1)

  let songs = holdings.songIds.length
  let lists = holdings.lists.length
  let details = holdings.details.length
  let listBytes = holdings.lists.reduce((sum, list) => sum + list.ids.length * ID_BYTES, 0)
  const over = () => ({
    songs: songs > limits.songs,
    lists: lists > limits.lists,
    details: details > limits.details,
    bytes: songs * holdings.songBytes + details * holdings.detailBytes + listBytes > limits.bytes,
  })
  const removal: Removal = { lists: [], details: [], songIds: [] }

  const drop = (id: string) => {
    removal.songIds.push(id)
    songs -= 1
  }
  if (over().songs || over().bytes) for (const [id, count] of holders) if (count === 0 && !sparedSongs.has(id)) drop(id)

  const units = [
    ...holdings.lists.filter(({ key }) => !alwaysKept.test(key)).map((list) => ({ kind: 'list' as const, key: list.key, ids: list.ids })),
    ...holdings.details.map((key) => ({ kind: 'detail' as const, key, ids: [] })),
  ]
    .filter(({ key }) => !stays.has(key))
    .sort((a, b) => (holdings.usedAtMs.get(a.key) ?? 0) - (holdings.usedAtMs.get(b.key) ?? 0))
  for (const unit of units) {
    const now = over()
    if (unit.kind === 'list' ? !(now.songs || now.lists || now.bytes) : !(now.details || now.bytes)) continue
    if (unit.kind === 'detail') {
      removal.details.push(unit.key)
      details -= 1
      continue
    }
    removal.lists.push(unit.key)
    lists -= 1
    listBytes -= unit.ids.length * ID_BYTES
    for (const id of new Set(unit.ids)) {
      const count = holders.get(id)
      if (count === undefined) continue
      holders.set(id, count - 1)
      if (count === 1 && !sparedSongs.has(id)) drop(id)
    }
  }
  return removal
}

const SAMPLE = 50

async function readHoldings(tables: Tables): Promise<Holdings> {
  const [lists, details, songIds, visits, kept] = [
    await tables.lists.all(),
    await tables.details.keys(),
    await tables.songs.keys(),
    await tables.visits.all(),
    await tables.kept.keys(),
  ]
  const nowMs = Date.now()
  return {
    lists,
    details: details.map(songVisitKey),
    songIds,
    // What was used in the future was used while the clock was wrong: it must not stay for ever.
    usedAtMs: new Map(visits.map((row) => [row.key, row.usedAtMs > nowMs ? 0 : row.usedAtMs])),
    keptKeys: new Set(kept.map(playlistSongsKey)),
    songBytes: averageBytes(await tables.songs.page('', SAMPLE)),
    detailBytes: averageBytes(await tables.details.page('', SAMPLE)),
  }
}

const averageBytes = (rows: readonly unknown[]) =>
  rows.length === 0 ? 0 : rows.reduce<number>((sum, row) => sum + rowBytes(row), 0) / rows.length

/** What is on screen, what the player may need, and the favorites of whoever has some on this device. */
async function readSpared(tables: Tables, { keys, songIds }: Spared): Promise<Spared> {
  const favorites = await tables.favorites.all()
  const taps = (await tables.outbox.all()).filter(isTap)
  return { keys, songIds: [...songIds, ...favorites.flatMap(({ ids }) => ids), ...taps.map(({ body }) => body.s)] }
}

async function planFor(store: CatalogueStore, spared: Spared, limitsOf: (holdings: Holdings) => Limits): Promise<Removal> {
  const [holdings, all] = await readOnce(store, async (tables) => [await readHoldings(tables), await readSpared(tables, spared)] as const)
  return planEviction(holdings, limitsOf(holdings), all)
}

/** Brings this device below `limits`; gives how many rows went. */
export async function evict(store: CatalogueStore, limits: Limits, spared: Spared): Promise<number> {
  return apply(store, await planFor(store, spared, () => limits))
}

/** Removes about half of what was not chosen to be kept; gives how many rows went. */
export async function evictHalf(store: CatalogueStore, spared: Spared): Promise<number> {
  const half = ({ songIds, lists, details }: Holdings): Limits => ({
    ...{ songs: songIds.length / 2, lists: lists.length / 2, details: details.length / 2, bytes: Number.POSITIVE_INFINITY },
  })
  return apply(store, await planFor(store, spared, half))
}

/** All that a person did not choose to keep. */
export const clearSeen = (store: CatalogueStore, spared: Spared): Promise<number> =>
  evict(store, { songs: 0, lists: 0, details: 0, bytes: 0 }, spared)

async function apply(store: CatalogueStore, removal: Removal): Promise<number> {
  const count = removal.lists.length + removal.details.length + removal.songIds.length
  if (count === 0) return 0
  const prefix = songVisitKey('')
  await store.change(async (tables) => {
    await tables.lists.remove(removal.lists)
    await tables.details.remove(removal.details.map((key) => key.slice(prefix.length)))
    await tables.songs.remove(removal.songIds)
    await tables.visits.remove([...removal.lists, ...removal.details])
  })
  return count
}
