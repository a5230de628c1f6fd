import type { Song } from '../../contract/song.ts'
import { uniqueId } from '../platform/unique-id.ts'
import { putSongs } from './catalogue-rows.ts'
import { entriesOf, readTaps, type TapRow, type Taps, tapsOf, withTaps } from './favorite-rows.ts'
import type { FavoriteEntry, FavoriteList, Favorites, FavoriteTap } from './favorites-interface.ts'
import { createLive, type Live } from './live.ts'
import { readOnce } from './memory-store.ts'
import type { CatalogueStore, FavoritesRow, Tables } from './store.ts'

interface FavoritesDeps {
  store: CatalogueStore
  /** Tells the site of what waits. */
  send: () => void
  nowMs?: () => number
}

/** The last time that a date in ISO 8601 with four digits for the year can tell. */
const LATEST_MS = Date.parse('9999-12-31T23:59:59.999Z')
/** How long a tap that is stored may show before the store tells of it. */
const SHOWN_MS = 2_000
const SONGS_AT_ONCE = 1_000
/** A tap shows first; the list of all follows it, once for several. */
const LIST_AFTER_MS = 50
/** How long a list that the site has not told this device yet is waited for. */
const LIST_WITHIN_MS = 4_000

export function createFavorites({ store, send, nowMs = Date.now }: FavoritesDeps): Favorites {
  const lists = new Map<string, TappedList>()
  const songs = new Map<string, Live<readonly Song[]>>()

  const listOf = (uid: string) => {
    const list = lists.get(uid) ?? createTappedList(store, uid)
    lists.set(uid, list)
    return list
  }

  return {
    list: listOf,
    listWhen(uid, enough) {
      const list = listOf(uid)
      return new Promise((resolve) => {
        const end = () => {
          clearTimeout(timer)
          // The first value may come before there is a way to stop.
          queueMicrotask(() => stop())
          resolve(list.getSnapshot())
        }
        const look = () => {
          const now = list.getSnapshot()
          if (now && enough(now)) end()
        }
        const timer = setTimeout(end, LIST_WITHIN_MS)
        const stop = list.subscribe(look)
        look()
      })
    },
    songs(uid) {
      const live = songs.get(uid) ?? createSongsLive(store, listOf(uid))
      songs.set(uid, live)
      return live
    },
    async tap(uid, taps) {
      const settle = listOf(uid).show(taps, nowMs())
      try {
        await store.change((tables) => putTaps(tables, uid, taps, nowMs()))
      } catch (error) {
        settle(false)
        throw error
      }
      settle(true)
      send()
    },
  }
}

/** Each tap is later than all that the account's clock on this device has heard of. */
async function putTaps(tables: Tables, uid: string, taps: readonly FavoriteTap[], nowMs: number): Promise<void> {
  const known = await tables.favoriteClocks.get(uid)
  const waiting = known ? [] : await readTaps(tables, uid)
  const clock = known ?? { uid, device: uniqueId(), atMs: Math.max(0, ...waiting.map(({ body }) => Date.parse(body.at))) }
  let { atMs } = clock
  const rows = taps.map(({ songId, favorite }): TapRow => {
    const id = uniqueId()
    atMs = Math.min(LATEST_MS, Math.max(nowMs, atMs + 1))
    const body = { id, s: songId, favorite, at: new Date(atMs).toISOString(), device: clock.device }
    return { id, uid, call: 'POST /favorite/sync', body, createdAtMs: nowMs, attempts: 0, lastError: '', state: 'waiting' }
  })
  await putSongs(
    tables,
    taps.flatMap(({ song }) => (song ? [songRow(song)] : [])),
  )
  await tables.outbox.put(rows)
  await tables.favoriteClocks.put([{ ...clock, atMs }])
}

/** Without what only a song's own page knows. */
const songRow = ({ youtube_id, youtube_url, title, author_name, author_channel_id, category_id, category_name, ...rest }: Song): Song => ({
  ...{ youtube_id, youtube_url, title, author_name, category_id, category_name },
  ...(author_channel_id !== undefined && { author_channel_id }),
  date_added: rest.date_added,
  ...(rest.duration !== undefined && { duration: rest.duration }),
  new: rest.new,
})

interface TappedList extends Live<FavoriteList> {
  /** Shows taps before they are stored. Gives what ends that, with whether they could be. */
  show(taps: readonly FavoriteTap[], atMs: number): (stored: boolean) => void
}

interface Stored {
  base: readonly FavoriteEntry[]
  baseIds: ReadonlySet<string>
  complete: boolean
  taps: Taps
}

function createTappedList(store: CatalogueStore, uid: string): TappedList {
  const readBase = createBaseReader()
  const stored = createLive<Stored>(store, async (tables) => {
    const base = readBase(await tables.favorites.get(uid))
    return { ...base, taps: tapsOf(await readTaps(tables, uid)) }
  })
  const listeners = new Set<() => void>()
  /** By song: the last tap of this page that the store has not told of yet. */
  const shown = new Map<string, { favorite: boolean; atMs: number; stored: boolean }>()
  let list: FavoriteList | undefined
  let stop: (() => void) | undefined

  function publish() {
    const now = stored.getSnapshot()
    for (const [songId, tap] of shown) if (tap.stored && now && holds(now, songId) === tap.favorite) shown.delete(songId)
    list = now || shown.size > 0 ? listOf(now ?? UNREAD, shown) : undefined
    for (const listener of [...listeners]) listener()
  }

  return {
    getSnapshot: () => list,
    subscribe(listener) {
      listeners.add(listener)
      stop ??= stored.subscribe(publish)
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0) return
        stop?.()
        stop = undefined
      }
    },
    show(taps, atMs) {
      const mine = new Map(taps.map(({ songId, favorite }, index) => [songId, { favorite, atMs: atMs + index, stored: false }]))
      for (const [songId, tap] of mine) shown.set(songId, tap)
      publish()
      const remove = () => {
        for (const [songId, tap] of mine) if (shown.get(songId) === tap) shown.delete(songId)
        publish()
      }
      return (isStored) => {
        if (!isStored) return remove()
        for (const tap of mine.values()) tap.stored = true
        publish()
        // Another tab may have undone it before this one heard of it.
        setTimeout(remove, SHOWN_MS)
      }
    },
  }
}

const UNREAD: Stored = { base: [], baseIds: new Set(), complete: false, taps: new Map() }

const holds = ({ baseIds, taps }: Stored, songId: string): boolean => taps.get(songId)?.favorite ?? baseIds.has(songId)

function listOf(stored: Stored, shown: Taps): FavoriteList {
  const taps = shown.size === 0 ? stored.taps : new Map([...stored.taps, ...shown])
  let entries: readonly FavoriteEntry[] | undefined
  return {
    // In order only for who shows the list: a tap must show at once on the others.
    get entries() {
      entries ??= withTaps(stored.base, taps)
      return entries
    },
    complete: stored.complete,
    has: (songId) => taps.get(songId)?.favorite ?? stored.baseIds.has(songId),
  }
}

/** The same list gives the same entries: they may be many thousands. */
function createBaseReader() {
  let known: Pick<FavoritesRow, 'cursor' | 'more'> | undefined
  let read: Omit<Stored, 'taps'> = { base: [], baseIds: new Set(), complete: false }
  return (row: FavoritesRow | undefined) => {
    if (row?.cursor !== known?.cursor || row?.more !== known?.more || !row)
      read = { base: row ? entriesOf(row) : [], baseIds: new Set(row?.ids), complete: row !== undefined && !row.more }
    known = row
    return read
  }
}

/** Rows are read once: a list of many thousands follows each tap. */
function createSongsLive(store: CatalogueStore, list: Live<FavoriteList>): Live<readonly Song[]> {
  const known = new Map<string, Song>()
  const listeners = new Set<() => void>()
  let value: readonly Song[] | undefined
  let stop: (() => void) | undefined
  let reading = false
  let again = false
  let timer: ReturnType<typeof setTimeout> | undefined

  function publish(entries: readonly FavoriteEntry[]) {
    const rows = entries.flatMap(({ songId }) => known.get(songId) ?? [])
    if (value && rows.length === value.length && rows.every((row, index) => row === value?.[index])) return
    value = rows
    for (const listener of [...listeners]) listener()
  }

  /** Gives whether all are here that this device has. */
  async function readSome(absent: Set<string>): Promise<boolean> {
    const entries = list.getSnapshot()?.entries ?? []
    const missing = entries.filter(({ songId }) => !known.has(songId) && !absent.has(songId)).slice(0, SONGS_AT_ONCE)
    const ids = missing.map(({ songId }) => songId)
    const rows = ids.length === 0 ? [] : await readOnce(store, (tables) => tables.songs.getMany(ids))
    ids.forEach((songId, index) => {
      const row = rows[index]
      if (row) known.set(songId, row)
      else absent.add(songId)
    })
    if (list.getSnapshot()) publish(list.getSnapshot()?.entries ?? [])
    return ids.length < SONGS_AT_ONCE
  }

  async function follow() {
    again = true
    if (reading) return
    reading = true
    try {
      while (again) {
        again = false
        const absent = new Set<string>()
        while (!(await readSome(absent)));
      }
    } catch {
      // What was read stays.
    } finally {
      reading = false
    }
  }

  return {
    getSnapshot: () => value,
    subscribe(listener) {
      listeners.add(listener)
      stop ??= list.subscribe(() => {
        clearTimeout(timer)
        timer = setTimeout(follow, value ? LIST_AFTER_MS : 0)
      })
      void follow()
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0) return
        clearTimeout(timer)
        stop?.()
        stop = undefined
      }
    },
  }
}
