import type { FavoriteSynced } from '../../contract/favorite.ts'
import type { FavoriteEntry } from './favorites-interface.ts'
import type { FavoritesRow, OutboxRow, OutboxRowOf, Tables } from './store.ts'

export type TapRow = OutboxRowOf<'POST /favorite/sync'>

export const isTap = (row: OutboxRow): row is TapRow => row.call === 'POST /favorite/sync'

/** As they were tapped. */
export const byTime = (a: TapRow, b: TapRow): number => Date.parse(a.body.at) - Date.parse(b.body.at)

/** An account's taps that the site was not told of yet, oldest first. What it has refused is none of them. */
export async function readTaps(tables: Tables, uid: string): Promise<TapRow[]> {
  const rows = await tables.outbox.all()
  return rows
    .filter(isTap)
    .filter((row) => row.uid === uid && row.state === 'waiting')
    .sort(byTime)
}

/** What stands over the list that the site has told: the newest tap of each song. */
export type Taps = ReadonlyMap<string, { favorite: boolean; atMs: number }>

export const tapsOf = (rows: readonly TapRow[]): Taps =>
  new Map(rows.map(({ body }) => [body.s, { favorite: body.favorite, atMs: Date.parse(body.at) }]))

export const entriesOf = ({ ids, atMs }: Pick<FavoritesRow, 'ids' | 'atMs'>): FavoriteEntry[] =>
  ids.map((songId, index) => ({ songId, atMs: atMs[index] ?? 0 }))

/** `entries` with the taps, newest first; of one time, what was heard of last, as on the site. What is no favorite any more is gone. */
export function withTaps(entries: readonly FavoriteEntry[], taps: Taps): readonly FavoriteEntry[] {
  if (taps.size === 0) return entries
  const added = [...taps].flatMap(([songId, { favorite, atMs }]) => (favorite ? [{ songId, atMs }] : []))
  return [...added.reverse(), ...entries.filter(({ songId }) => !taps.has(songId))].sort((a, b) => b.atMs - a.atMs)
}

/** The list after the site's answer. */
export function withStates(
  row: FavoritesRow | undefined,
  uid: string,
  { cursor, more, favorites }: Pick<FavoriteSynced, 'cursor' | 'more' | 'favorites'>,
): FavoritesRow {
  const taps = new Map(favorites.map(({ s, favorite, at }) => [s, { favorite, atMs: Date.parse(at) }]))
  const entries = withTaps(row ? entriesOf(row) : [], taps)
  const ids = entries.map(({ songId }) => songId)
  return { uid, cursor, ids, atMs: entries.map(({ atMs }) => atMs), ...(more && { more }) }
}

/** An account's favorites as this device knows them, newest first; `undefined` where it knows of none. */
export async function readFavoriteIds(tables: Tables, uid: string): Promise<string[] | undefined> {
  const row = await tables.favorites.get(uid)
  const taps = tapsOf(await readTaps(tables, uid))
  if (!row && taps.size === 0) return undefined
  return withTaps(row ? entriesOf(row) : [], taps).map(({ songId }) => songId)
}
