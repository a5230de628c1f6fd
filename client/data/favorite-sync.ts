import type { FavoriteSyncResult } from '../../contract/favorite.ts'
import { FAVORITE_CHANGES_MAX } from '../../contract/favorite-limits.ts'
import { putSongs } from './catalogue-rows.ts'
import type { SyncedRowKind } from './change-sync.ts'
import { applyServerStates } from './favorite-rows.ts'
import { rowValidators } from './row-shapes.ts'

const isTimeText = (text: unknown) => typeof text === 'string' && Number.isFinite(Date.parse(text))

/** The favorites of an account, as `createChangeSync` synchronizes them. */
export const syncedFavorites: SyncedRowKind<'POST /favorite/sync', FavoriteSyncResult> = {
  call: 'POST /favorite/sync',
  countSendable: () => FAVORITE_CHANGES_MAX,
  request: (api, since, changes) => api.call('POST /favorite/sync', { ...(since !== undefined && { since }), changes }),
  isResponse: ({ favorites }) =>
    Array.isArray(favorites) &&
    favorites.every(({ s, at, song }) => typeof s === 'string' && isTimeText(at) && (song === undefined || rowValidators.songs(song))),
  readCursor: (tables, uid) => tables.favorites.get(uid),
  isEmpty: ({ favorites }) => favorites.length === 0,
  async store(tables, uid, response) {
    await putSongs(
      tables,
      response.favorites.flatMap(({ song }) => (song ? [song] : [])),
    )
    const row = response.whole ? undefined : await tables.favorites.get(uid)
    await tables.favorites.put([applyServerStates(row, uid, response)])
  },
  latestMs: ({ favorites }) => favorites.reduce((maxMs, { at }) => Math.max(maxMs, Date.parse(at)), 0),
}
