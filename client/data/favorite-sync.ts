import type { FavoriteSynced } from '../../contract/favorite.ts'
import { FAVORITE_CHANGES_MAX } from '../../contract/favorite-limits.ts'
import { type AccountApi, ApiFailure } from '../platform/api.ts'
import { uniqueId } from '../platform/unique-id.ts'
import { putSongs } from './catalogue-rows.ts'
import { readTaps, type TapRow, withStates } from './favorite-rows.ts'
import { readOnce } from './memory-store.ts'
import { isSound } from './row-shapes.ts'
import type { CatalogueStore } from './store.ts'

interface FavoriteSyncDeps {
  store: CatalogueStore
  /** Whose name calls are made in now. */
  signedIn: () => string | undefined
}

export interface FavoriteSync {
  /** What the next call would carry, oldest first; at most `limit`. */
  waiting(uid: string, limit?: number): Promise<TapRow[]>
  /**
   * Tells the site of `taps`, hears what has changed there, and writes both as one change of this device. Rejects with an `ApiFailure`.
   * Gives whether there is more to hear.
   */
  exchange(api: AccountApi, uid: string, taps: readonly TapRow[]): Promise<boolean>
}

export function createFavoriteSync({ store, signedIn }: FavoriteSyncDeps): FavoriteSync {
  return {
    waiting: async (uid, limit = FAVORITE_CHANGES_MAX) =>
      (await readOnce(store, (tables) => readTaps(tables, uid))).slice(0, Math.min(limit, FAVORITE_CHANGES_MAX)),

    async exchange(api, uid, taps) {
      const before = await readOnce(store, (tables) => tables.favorites.get(uid))
      const answer = await api.call('POST /favorite/sync', {
        ...(before && { since: before.cursor }),
        changes: taps.map(({ body }) => body),
      })
      if (!isAnswer(answer ?? {})) throw new ApiFailure('network', 0, 'The answer is not the site’s.')
      let isOvertaken = false
      await store.change(async (tables) => {
        const refusals = new Map(answer.refused.map(({ id, message }) => [id, message]))
        const sent = (await tables.outbox.getMany(taps.map(({ id }) => id))).filter((row) => row !== undefined)
        await tables.outbox.remove(sent.flatMap(({ id }) => (refusals.has(id) ? [] : [id])))
        await tables.outbox.put(
          sent.flatMap((row) => {
            const lastError = refusals.get(row.id)
            return lastError === undefined ? [] : [{ ...row, attempts: row.attempts + 1, lastError, state: 'failed' as const }]
          }),
        )
        // What an account has is not kept for who has signed in meanwhile.
        if (signedIn() !== uid) return
        const now = await tables.favorites.get(uid)
        // Another tab has heard more: what this answer adds to is no longer there. What it tells is asked for again.
        isOvertaken = now?.cursor !== before?.cursor
        const isAsBefore = now?.cursor === answer.cursor && answer.favorites.length === 0 && now.more === (answer.more || undefined)
        if (isOvertaken || isAsBefore) return
        await putSongs(
          tables,
          answer.favorites.flatMap(({ song }) => (song ? [song] : [])),
        )
        await tables.favorites.put([withStates(answer.whole ? undefined : now, uid, answer)])
        const clock = (await tables.favoriteClocks.get(uid)) ?? { uid, device: uniqueId(), atMs: 0 }
        const heardMs = answer.favorites.reduce((latest, { at }) => Math.max(latest, Date.parse(at)), clock.atMs)
        if (heardMs > clock.atMs) await tables.favoriteClocks.put([{ ...clock, atMs: heardMs }])
      })
      // A site that stands still would be asked for ever.
      return (answer.more && answer.cursor !== before?.cursor) || isOvertaken
    },
  }
}

const isTime = (text: unknown) => typeof text === 'string' && Number.isFinite(Date.parse(text))

/** A server of another kind may say anything. */
const isAnswer = ({ cursor, favorites, refused }: Partial<FavoriteSynced> = {}): boolean =>
  typeof cursor === 'string' &&
  Array.isArray(refused) &&
  Array.isArray(favorites) &&
  favorites.every(({ s, at, song }) => typeof s === 'string' && isTime(at) && (song === undefined || isSound.songs(song)))
