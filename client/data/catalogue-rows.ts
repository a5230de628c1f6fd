import type { FeedItem } from '../../contract/community.ts'
import type { Playlist } from '../../contract/playlist.ts'
import type { Song } from '../../contract/song.ts'
import type { Table, Tables } from './store.ts'

export const detailKey = (songId: string, contextId: string | undefined) => `${songId}|${contextId ?? ''}`
/** The key of a detail's visit. */
export const songVisitKey = (key: string) => `song:${key}`
export const playlistSongsKey = (playlistId: string) => `playlist:${playlistId}`

/** As JSON in two bytes a character: near what browsers store. */
export const rowBytes = (row: unknown): number => JSON.stringify(row).length * 2

/** Deep equality of rows as JSON holds them. */
export function sameRow(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  const aKeys = Object.keys(a)
  if (aKeys.length !== Object.keys(b).length) return false
  const [left, right] = [new Map(Object.entries(a)), new Map(Object.entries(b))]
  return aKeys.every((key) => right.has(key) && sameRow(left.get(key), right.get(key)))
}

/** Writes the rows that differ from what is stored, so that readers of the others are not woken. */
export async function putChanged<T>(table: Table<T>, keyOf: (row: T) => string, rows: readonly T[]): Promise<void> {
  const unique = [...new Map(rows.map((row) => [keyOf(row), row])).values()]
  const stored = await table.getMany(unique.map(keyOf))
  await table.put(unique.filter((row, index) => !sameRow(row, stored[index])))
}

export const putSongs = (tables: Tables, songs: readonly Song[]) => putChanged(tables.songs, (song) => song.youtube_id, songs)
export const putPlaylists = (tables: Tables, playlists: readonly Playlist[]) =>
  putChanged(tables.playlists, (playlist) => playlist.id, playlists)

export async function putList(tables: Tables, key: string, ids: readonly string[], complete: boolean, local = false): Promise<void> {
  await putChanged(tables.lists, (list) => list.key, [{ key, ids: [...ids], complete, ...(local && { local: true as const }) }])
  await putVisit(tables, key)
}

/** Notes that `key` was fetched, and so used, now. */
export async function putVisit(tables: Tables, key: string): Promise<void> {
  const nowMs = Date.now()
  await tables.visits.put([{ key, fetchedAtMs: nowMs, usedAtMs: nowMs }])
}

const known = <T>(rows: (T | undefined)[]): T[] => rows.filter((row) => row !== undefined)

/** The songs of a list in the server's order; `undefined` where the list was never fetched. */
export async function readSongs(tables: Tables, key: string): Promise<{ songs: Song[]; complete: boolean; local: boolean } | undefined> {
  const list = await tables.lists.get(key)
  return list && { songs: known(await tables.songs.getMany(list.ids)), complete: list.complete, local: list.local ?? false }
}

export async function readPlaylists(tables: Tables, key: string): Promise<Playlist[] | undefined> {
  const list = await tables.lists.get(key)
  return list && known(await tables.playlists.getMany(list.ids))
}

export async function readFeed(tables: Tables, key: string): Promise<FeedItem[] | undefined> {
  const list = await tables.lists.get(key)
  return list && known(await tables.feed.getMany(list.ids))
}
