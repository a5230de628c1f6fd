import type { FavoriteSyncResult } from '../../contract/favorite.ts'
import type { EndpointOutboxRow, FavoritesRow, Tables } from './local-database.ts'
import { readWaitingChanges } from './waiting-changes.ts'

export interface FavoriteEntry {
  readonly songId: string
  /** When the song was added to the favorites, in epoch milliseconds. */
  readonly atMs: number
}

export type FavoriteChangeRow = EndpointOutboxRow<'POST /favorite/sync'>

/** The newest known state of each changed song, by song id: changes that were not sent yet, or those that the server has sent. */
export type FavoriteStates = ReadonlyMap<string, { favorite: boolean; atMs: number }>

export const toFavoriteStates = (rows: readonly FavoriteChangeRow[]): FavoriteStates =>
  new Map(rows.map(({ body }) => [body.s, { favorite: body.favorite, atMs: Date.parse(body.at) }]))

export const toFavoriteEntries = ({ ids, atMs }: Pick<FavoritesRow, 'ids' | 'atMs'>): FavoriteEntry[] =>
  ids.map((songId, index) => ({ songId, atMs: atMs[index] ?? 0 }))

/**
 * Applies favorite states to a list of favorites and returns it newest first. States with the same time are listed in the reverse order of
 * `favoriteStates`, as on the server.
 */
export function applyFavoriteStates(favoriteEntries: readonly FavoriteEntry[], favoriteStates: FavoriteStates): readonly FavoriteEntry[] {
  if (favoriteStates.size === 0) return favoriteEntries
  const addedEntries = [...favoriteStates].flatMap(([songId, { favorite, atMs }]) => (favorite ? [{ songId, atMs }] : []))
  return [...addedEntries.reverse(), ...favoriteEntries.filter(({ songId }) => !favoriteStates.has(songId))].sort((a, b) => b.atMs - a.atMs)
}

/** Returns the favorites row of an account after a sync response. */
export function applyServerStates(
  row: FavoritesRow | undefined,
  uid: string,
  { cursor, more: hasMore, favorites }: Pick<FavoriteSyncResult, 'cursor' | 'more' | 'favorites'>,
): FavoritesRow {
  const stateBySongId = new Map(favorites.map(({ s, favorite, at }) => [s, { favorite, atMs: Date.parse(at) }]))
  const entries = applyFavoriteStates(row ? toFavoriteEntries(row) : [], stateBySongId)
  const ids = entries.map(({ songId }) => songId)
  return { uid, cursor, ids, atMs: entries.map(({ atMs }) => atMs), ...(hasMore && { more: hasMore }) }
}

/** Reads the favorites of an account, including waiting changes, newest first; `undefined` if neither are stored. */
export async function readFavoriteIds(tables: Tables, uid: string): Promise<string[] | undefined> {
  const favoritesRow = await tables.favorites.get(uid)
  const states = toFavoriteStates(await readWaitingChanges(tables, uid, 'POST /favorite/sync'))
  if (!favoritesRow && states.size === 0) return undefined
  return applyFavoriteStates(favoritesRow ? toFavoriteEntries(favoritesRow) : [], states).map(({ songId }) => songId)
}
