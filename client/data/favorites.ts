import type { Song } from '../../contract/song.ts'
import { createUniqueId } from '../primitives/unique-id.ts'
import { putSongs } from './catalogue-rows.ts'
import {
  applyFavoriteStates,
  type FavoriteChangeRow,
  type FavoriteEntry,
  type FavoriteStates,
  toFavoriteEntries,
  toFavoriteStates,
} from './favorite-rows.ts'
import { createLiveQuery, type LiveQuery } from './live-query.ts'
import type { FavoritesRow, LocalDatabase, Tables } from './local-database.ts'
import { takeChangeTimes } from './logical-clock.ts'
import { toSongRow } from './row-shapes.ts'
import { readWaitingChanges } from './waiting-changes.ts'

export type { FavoriteEntry } from './favorite-rows.ts'

/** The favorites of an account on this device, including changes that are not sent yet. */
export interface FavoriteList {
  /** The favorites, newest first. */
  readonly entries: readonly FavoriteEntry[]
  /** Whether all favorites of the account have been fetched from the server at least once. */
  readonly complete: boolean
  has(songId: string): boolean
}

/** A request to add or remove a favorite. */
export interface FavoriteEdit {
  readonly songId: string
  readonly favorite: boolean
  /** The song's row, if the caller has it. It is stored too, so that the favorite can be shown offline. */
  readonly song?: Song
}

/** The favorites of accounts, changed on this device first. A change is stored as a row of the outbox. */
export interface Favorites {
  list(uid: string): LiveQuery<FavoriteList>
  /** Resolves with `list` once `isSufficient` returns true, or with the current list after `LIST_TIMEOUT_MS`. */
  waitForList(uid: string, isSufficient: (list: FavoriteList) => boolean): Promise<FavoriteList | undefined>
  /** Returns the song rows of the list `list`, in its order. A song whose row is not on this device is left out. */
  songs(uid: string): LiveQuery<readonly Song[]>
  /** Updates `list` immediately. Resolves when the changes are stored; if they cannot be stored, rejects and reverts `list`. */
  edit(uid: string, edits: readonly FavoriteEdit[]): Promise<void>
}

interface FavoritesDeps {
  database: LocalDatabase
  sendOutbox: () => void
  nowMs?: () => number
}

/** The time after which a stored optimistic change is dropped, even if no read of the database has confirmed it. */
const OPTIMISTIC_CHANGE_TIMEOUT_MS = 2_000
const SONG_BATCH_SIZE = 1_000
/** Delay before the song list is read after a change, so that several changes are read once. */
const SONG_LIST_READ_DELAY_MS = 50
/** The time after which `waitForList` resolves even if the list is incomplete. */
const LIST_TIMEOUT_MS = 4_000

export function createFavorites({ database, sendOutbox, nowMs = Date.now }: FavoritesDeps): Favorites {
  const listByUid = new Map<string, OptimisticList>()
  const songsQueryByUid = new Map<string, LiveQuery<readonly Song[]>>()

  const getOptimisticList = (uid: string) => {
    const list = listByUid.get(uid) ?? createOptimisticList(database, uid)
    listByUid.set(uid, list)
    return list
  }

  return {
    list: getOptimisticList,
    waitForList(uid, isSufficient) {
      const favoriteList = getOptimisticList(uid)
      return new Promise((resolve) => {
        const finishWaiting = () => {
          clearTimeout(timer)
          // `subscribe` may call `checkList` before it returns the function that unsubscribes.
          queueMicrotask(() => unsubscribe())
          resolve(favoriteList.getSnapshot())
        }
        const checkList = () => {
          const currentList = favoriteList.getSnapshot()
          if (currentList && isSufficient(currentList)) finishWaiting()
        }
        const timer = setTimeout(finishWaiting, LIST_TIMEOUT_MS)
        const unsubscribe = favoriteList.subscribe(checkList)
        checkList()
      })
    },
    songs(uid) {
      const liveSongs = songsQueryByUid.get(uid) ?? createLiveSongs(database, getOptimisticList(uid))
      songsQueryByUid.set(uid, liveSongs)
      return liveSongs
    },
    async edit(uid, favoriteEdits) {
      const endOptimistic = getOptimisticList(uid).showOptimistic(favoriteEdits, nowMs())
      try {
        await database.change((tables) => putFavoriteChanges(tables, uid, favoriteEdits, nowMs()))
      } catch (error) {
        endOptimistic(false)
        throw error
      }
      endOptimistic(true)
      sendOutbox()
    },
  }
}

/** Stores the edits as outbox rows. The time of each change is later than the account's logical clock on this device. */
async function putFavoriteChanges(tables: Tables, uid: string, edits: readonly FavoriteEdit[], nowMs: number): Promise<void> {
  const { deviceId: device, timeTexts: changeTimeTexts } = await takeChangeTimes(tables, uid, edits.length, nowMs)
  const changeRows = edits.map(({ songId, favorite }, index): FavoriteChangeRow => {
    const id = createUniqueId()
    const body = { id, s: songId, favorite, at: changeTimeTexts[index] ?? '', device }
    return { id, uid, call: 'POST /favorite/sync', body, createdAtMs: nowMs, attempts: 0, lastError: '', state: 'waiting' }
  })
  await putSongs(
    tables,
    edits.flatMap(({ song }) => (song ? [toSongRow(song)] : [])),
  )
  await tables.outbox.put(changeRows)
}

interface OptimisticList extends LiveQuery<FavoriteList> {
  /** Shows edits before they are stored. Returns the function that ends the optimistic display; its argument is whether the edits were stored. */
  showOptimistic(edits: readonly FavoriteEdit[], atMs: number): (isStored: boolean) => void
}

interface StoredFavorites {
  /** The favorites as they were after the last sync. */
  baseEntries: readonly FavoriteEntry[]
  baseIds: ReadonlySet<string>
  complete: boolean
  /** The favorite changes that wait in the outbox. */
  changes: FavoriteStates
}

function createOptimisticList(database: LocalDatabase, uid: string): OptimisticList {
  const toBaseState = createRowConverter()
  const storedQuery = createLiveQuery<StoredFavorites>(database, async (tables) => {
    const baseState = toBaseState(await tables.favorites.get(uid))
    return { ...baseState, changes: toFavoriteStates(await readWaitingChanges(tables, uid, 'POST /favorite/sync')) }
  })
  const listeners = new Set<() => void>()
  /** The optimistic changes by song id, until the database confirms them. */
  const optimisticChangeBySongId = new Map<string, { favorite: boolean; atMs: number; stored: boolean }>()
  let favoriteList: FavoriteList | undefined
  let stopWatching: (() => void) | undefined

  function publishList() {
    const storedState = storedQuery.getSnapshot()
    for (const [songId, change] of optimisticChangeBySongId)
      if (change.stored && storedState && isFavoriteIn(storedState, songId) === change.favorite) optimisticChangeBySongId.delete(songId)
    favoriteList =
      storedState || optimisticChangeBySongId.size > 0 ? buildList(storedState ?? EMPTY_STATE, optimisticChangeBySongId) : undefined
    for (const listener of [...listeners]) listener()
  }

  return {
    getSnapshot: () => favoriteList,
    subscribe(listener) {
      listeners.add(listener)
      stopWatching ??= storedQuery.subscribe(publishList)
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0) return
        stopWatching?.()
        stopWatching = undefined
      }
    },
    showOptimistic(favoriteEdits, editedAtMs) {
      const changeBySongId = new Map(
        favoriteEdits.map(({ songId, favorite }, index) => [songId, { favorite, atMs: editedAtMs + index, stored: false }]),
      )
      for (const [songId, change] of changeBySongId) optimisticChangeBySongId.set(songId, change)
      publishList()
      const removeOptimisticChanges = () => {
        for (const [songId, change] of changeBySongId)
          if (optimisticChangeBySongId.get(songId) === change) optimisticChangeBySongId.delete(songId)
        publishList()
      }
      return (isStored) => {
        if (!isStored) return removeOptimisticChanges()
        for (const change of changeBySongId.values()) change.stored = true
        publishList()
        // Ends the optimistic state without a confirmation, because another tab may have reverted the change before this tab read the
        // database.
        setTimeout(removeOptimisticChanges, OPTIMISTIC_CHANGE_TIMEOUT_MS)
      }
    },
  }
}

const EMPTY_STATE: StoredFavorites = { baseEntries: [], baseIds: new Set(), complete: false, changes: new Map() }

const isFavoriteIn = ({ baseIds, changes }: StoredFavorites, songId: string): boolean =>
  changes.get(songId)?.favorite ?? baseIds.has(songId)

function buildList(storedState: StoredFavorites, optimisticStates: FavoriteStates): FavoriteList {
  const changeBySongId = optimisticStates.size === 0 ? storedState.changes : new Map([...storedState.changes, ...optimisticStates])
  let shownEntries: readonly FavoriteEntry[] | undefined
  return {
    // The favorites are sorted on first use, because sorting a long list would delay components that only call `has`.
    get entries() {
      shownEntries ??= applyFavoriteStates(storedState.baseEntries, changeBySongId)
      return shownEntries
    },
    complete: storedState.complete,
    has: (songId) => changeBySongId.get(songId)?.favorite ?? storedState.baseIds.has(songId),
  }
}

/**
 * Creates a function that converts a row of synchronized favorites to entries. It reuses the last result while the cursor is the same,
 * because lists may have thousands of entries.
 */
function createRowConverter() {
  let lastRow: Pick<FavoritesRow, 'cursor' | 'more'> | undefined
  let baseState: Omit<StoredFavorites, 'changes'> = { baseEntries: [], baseIds: new Set(), complete: false }
  return (row: FavoritesRow | undefined) => {
    if (row?.cursor !== lastRow?.cursor || row?.more !== lastRow?.more || !row)
      baseState = { baseEntries: row ? toFavoriteEntries(row) : [], baseIds: new Set(row?.ids), complete: row !== undefined && !row.more }
    lastRow = row
    return baseState
  }
}

/** Creates the live query of the songs of `list`. Each song's row is read once, because the list may have thousands of songs. */
function createLiveSongs(database: LocalDatabase, list: LiveQuery<FavoriteList>): LiveQuery<readonly Song[]> {
  const songsById = new Map<string, Song>()
  const listeners = new Set<() => void>()
  let publishedSongs: readonly Song[] | undefined
  let stopWatching: (() => void) | undefined
  let isReadRunning = false
  let isReadRequested = false
  let readTimer: ReturnType<typeof setTimeout> | undefined

  function publishList(favoriteEntries: readonly FavoriteEntry[]) {
    const songRows = favoriteEntries.flatMap(({ songId }) => songsById.get(songId) ?? [])
    if (publishedSongs && songRows.length === publishedSongs.length && songRows.every((row, index) => row === publishedSongs?.[index]))
      return
    publishedSongs = songRows
    for (const listener of [...listeners]) listener()
  }

  /** Reads one batch of missing songs. Returns whether no further batch is missing. */
  async function readSongBatch(absentIds: Set<string>): Promise<boolean> {
    const listEntries = list.getSnapshot()?.entries ?? []
    const missingEntries = listEntries.filter(({ songId }) => !songsById.has(songId) && !absentIds.has(songId)).slice(0, SONG_BATCH_SIZE)
    const songIds = missingEntries.map(({ songId }) => songId)
    const songRows = songIds.length === 0 ? [] : await database.read((tables) => tables.songs.getMany(songIds))
    songIds.forEach((songId, index) => {
      const row = songRows[index]
      if (row) songsById.set(songId, row)
      else absentIds.add(songId)
    })
    if (list.getSnapshot()) publishList(list.getSnapshot()?.entries ?? [])
    return songIds.length < SONG_BATCH_SIZE
  }

  async function readMissingSongs() {
    isReadRequested = true
    if (isReadRunning) return
    isReadRunning = true
    try {
      while (isReadRequested) {
        isReadRequested = false
        const absentIds = new Set<string>()
        while (!(await readSongBatch(absentIds)));
      }
    } catch {
      // After a failed read, the songs that were read before are still shown.
    } finally {
      isReadRunning = false
    }
  }

  return {
    getSnapshot: () => publishedSongs,
    subscribe(listener) {
      listeners.add(listener)
      stopWatching ??= list.subscribe(() => {
        clearTimeout(readTimer)
        readTimer = setTimeout(readMissingSongs, publishedSongs ? SONG_LIST_READ_DELAY_MS : 0)
      })
      void readMissingSongs()
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0) return
        clearTimeout(readTimer)
        stopWatching?.()
        stopWatching = undefined
      }
    },
  }
}
