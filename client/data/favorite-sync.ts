import type { FavoriteSyncResult } from '../../contract/favorite.ts'
import { FAVORITE_CHANGES_MAX } from '../../contract/favorite-limits.ts'
import { type AccountApi, ApiCallError } from '../platform/api.ts'
import { uniqueId } from '../primitives/unique-id.ts'
import { putSongs } from './catalogue-rows.ts'
import { applyServerStates, type FavoriteChangeRow, readFavoriteChanges } from './favorite-rows.ts'
import type { LocalDatabase } from './local-database.ts'
import { rowValidators } from './row-shapes.ts'

interface FavoriteSyncDeps {
  database: LocalDatabase
  getSignedInUid: () => string | undefined
}

export interface FavoriteSync {
  /** Reads the changes of the next batch, oldest first, `limit` at most. */
  readWaiting(uid: string, limit?: number): Promise<FavoriteChangeRow[]>
  /**
   * Sends `changes`, fetches the changes of other devices, and stores both in one transaction. Rejects with an `ApiCallError`. Resolves with whether
   * the server has further changes to fetch.
   */
  sync(api: AccountApi, uid: string, changes: readonly FavoriteChangeRow[]): Promise<boolean>
}

export function createFavoriteSync({ database, getSignedInUid }: FavoriteSyncDeps): FavoriteSync {
  return {
    readWaiting: async (uid, limit = FAVORITE_CHANGES_MAX) =>
      (await database.read((tables) => readFavoriteChanges(tables, uid))).slice(0, Math.min(limit, FAVORITE_CHANGES_MAX)),

    async sync(api, uid, changes) {
      const rowBefore = await database.read((tables) => tables.favorites.get(uid))
      const response = await api.call('POST /favorite/sync', {
        ...(rowBefore && { since: rowBefore.cursor }),
        changes: changes.map(({ body }) => body),
      })
      if (!isSyncResponse(response ?? {})) throw new ApiCallError('network', 0, 'The answer is not the site’s.')
      let isOvertaken = false
      await database.change(async (tables) => {
        const refusals = new Map(response.refused.map(({ id, message }) => [id, message]))
        const sentRows = (await tables.outbox.getMany(changes.map(({ id }) => id))).filter((row) => row !== undefined)
        await tables.outbox.remove(sentRows.flatMap(({ id }) => (refusals.has(id) ? [] : [id])))
        await tables.outbox.put(
          sentRows.flatMap((row) => {
            const lastError = refusals.get(row.id)
            return lastError === undefined ? [] : [{ ...row, attempts: row.attempts + 1, lastError, state: 'failed' as const }]
          }),
        )
        // Another account has signed in: the favorites of the previous account are not stored.
        if (getSignedInUid() !== uid) return
        const rowNow = await tables.favorites.get(uid)
        // Another tab has stored a newer response. The response, relative to the old cursor, is discarded and requested again.
        isOvertaken = rowNow?.cursor !== rowBefore?.cursor
        const isUnchanged =
          rowNow?.cursor === response.cursor && response.favorites.length === 0 && rowNow.more === (response.more || undefined)
        if (isOvertaken || isUnchanged) return
        await putSongs(
          tables,
          response.favorites.flatMap(({ song }) => (song ? [song] : [])),
        )
        await tables.favorites.put([applyServerStates(response.whole ? undefined : rowNow, uid, response)])
        const clock = (await tables.favoriteClocks.get(uid)) ?? { uid, device: uniqueId(), atMs: 0 }
        const latestMs = response.favorites.reduce((maxMs, { at }) => Math.max(maxMs, Date.parse(at)), clock.atMs)
        if (latestMs > clock.atMs) await tables.favoriteClocks.put([{ ...clock, atMs: latestMs }])
      })
      // Stops if the response has the same cursor as the request, so that a faulty server is not requested forever.
      return (response.more && response.cursor !== rowBefore?.cursor) || isOvertaken
    },
  }
}

const isTime = (text: unknown) => typeof text === 'string' && Number.isFinite(Date.parse(text))

/** Whether a response has the members that the sync reads. A captive portal's page, for example, has not. */
const isSyncResponse = ({ cursor, favorites, refused }: Partial<FavoriteSyncResult> = {}): boolean =>
  typeof cursor === 'string' &&
  Array.isArray(refused) &&
  Array.isArray(favorites) &&
  favorites.every(({ s, at, song }) => typeof s === 'string' && isTime(at) && (song === undefined || rowValidators.songs(song)))
