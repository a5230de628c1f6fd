import type { Playlist } from '../../contract/playlist.ts'
import type { Song } from '../../contract/song.ts'
import type { Table, Tables } from './local-database.ts'

export const createSongDetailKey = (songId: string, contextId: string | undefined) => `${songId}|${contextId ?? ''}`
/** Returns the key under which the last visit of a song's detail is stored. */
export const createSongVisitKey = (key: string) => `song:${key}`
export const createPlaylistSongsKey = (playlistId: string) => `playlist:${playlistId}`

/** Returns the approximate stored size of a row: its JSON at two bytes per character. */
export const estimateRowBytes = (row: unknown): number => JSON.stringify(row).length * 2

/** Whether two rows are deeply equal. Supports JSON values only. */
export function areRowsEqual(firstValue: unknown, secondValue: unknown): boolean {
  if (firstValue === secondValue) return true
  if (typeof firstValue !== 'object' || typeof secondValue !== 'object' || firstValue === null || secondValue === null) return false
  const firstValueKeys = Object.keys(firstValue)
  if (firstValueKeys.length !== Object.keys(secondValue).length) return false
  const [firstEntries, otherEntries] = [new Map(Object.entries(firstValue)), new Map(Object.entries(secondValue))]
  return firstValueKeys.every((key) => otherEntries.has(key) && areRowsEqual(firstEntries.get(key), otherEntries.get(key)))
}

/** Writes only the rows that differ from the stored rows, so that watchers of unchanged rows are not notified. */
export async function putChangedRows<T>(table: Table<T>, newRows: readonly T[]): Promise<void> {
  const uniqueRows = [...new Map(newRows.map((row) => [table.keyOf(row), row])).values()]
  const storedRows = await table.getMany(uniqueRows.map(table.keyOf))
  await table.put(uniqueRows.filter((row, index) => !areRowsEqual(row, storedRows[index])))
}

export const putSongs = (tables: Tables, songs: readonly Song[]) => putChangedRows(tables.songs, songs)
export const putPlaylists = (tables: Tables, playlists: readonly Playlist[]) => putChangedRows(tables.playlists, playlists)

export async function putList(
  tables: Tables,
  listKey: string,
  songIds: readonly string[],
  isComplete: boolean,
  isLocalOnly = false,
): Promise<void> {
  await putChangedRows(tables.lists, [
    { key: listKey, ids: [...songIds], complete: isComplete, ...(isLocalOnly && { local: true as const }) },
  ])
  await putVisit(tables, listKey)
}

/** Stores the current time as the time at which the list or song detail `visitKey` was last fetched and last shown. */
export async function putVisit(tables: Tables, visitKey: string): Promise<void> {
  const nowMs = Date.now()
  await tables.visits.put([{ key: visitKey, fetchedAtMs: nowMs, usedAtMs: nowMs }])
}

const removeMissing = <T>(rows: (T | undefined)[]): T[] => rows.filter((row) => row !== undefined)

/** Reads the songs of a list in the server's order; `undefined` if the list is not stored. */
export async function readSongs(
  tables: Tables,
  listKey: string,
): Promise<{ songs: Song[]; complete: boolean; isFromDevice: boolean } | undefined> {
  const listRow = await tables.lists.get(listKey)
  return (
    listRow && {
      songs: removeMissing(await tables.songs.getMany(listRow.ids)),
      complete: listRow.complete,
      isFromDevice: listRow.local ?? false,
    }
  )
}

/** Reads the rows of a list from `table` in the server's order; `undefined` if the list is not stored. */
export async function readListRows<T>({ lists }: Tables, listKey: string, table: Table<T>): Promise<T[] | undefined> {
  const list = await lists.get(listKey)
  return list && removeMissing(await table.getMany(list.ids))
}

export const readPlaylists = (tables: Tables, key: string): Promise<Playlist[] | undefined> => readListRows(tables, key, tables.playlists)
