import { ApiError } from '../../contract/errors.ts'
import { FAVORITES_FULL_MESSAGE } from '../../contract/favorite-limits.ts'
import { parseVideoId } from '../../contract/youtube.ts'
import { LongList, readPages } from '../http/long-list.ts'
import { hasNoChanges } from '../http/sync-request.ts'
import { requireUser } from '../http/user.ts'
import { createNoRandomSongError, createNoSuchSongError, parseSongId, type RouteContext, readPagination } from '../route-context.ts'
import type { Pagination } from '../storage/pagination.ts'

/** The maximum size of a sync request in bytes: the maximum number of changes with URLs of maximum length. */
const SYNC_MAX_BYTES = 524_288

export function registerFavoriteRoutes({ endpoint, storage, site, nowMs }: RouteContext): void {
  const { favorites } = storage

  endpoint('GET /favorite/getlatest', {}, async (_input, request) => {
    const song = await favorites.findLatest(requireUser(request).uid)
    if (song === undefined) throw new ApiError('not-found', 'There are no songs in your favorites.')
    return song
  })

  endpoint('GET /favorite/get', {}, async (input, request) => ({
    favorite: await favorites.has(requireUser(request).uid, parseSongId(input.s)),
  }))

  endpoint('GET /favorite/getall', {}, async (input, request) => {
    const readOptions = await site.viewOf(request.site.brand)
    const ranks = await favorites.listRanks(requireUser(request).uid, readPagination(input))
    const readSongs = ({ limit, offset }: Pagination) => storage.songs.listByRanks(ranks.slice(offset, offset + limit), readOptions)
    return new LongList([], readPages({ limit: ranks.length, offset: 0 }, readSongs))
  })

  endpoint('GET /favorite/random', {}, async (input, request) => {
    const excludedId = input.not === undefined ? undefined : parseVideoId(input.not)
    const song = await favorites.pickRandom(requireUser(request).uid, excludedId)
    if (song === undefined) throw createNoRandomSongError()
    return song
  })

  endpoint('POST /favorite/add', {}, async (input, request) => {
    const setOutcome = await favorites.set(requireUser(request).uid, parseSongId(input.s), true, nowMs())
    if (setOutcome === 'no-song') throw createNoSuchSongError()
    if (setOutcome === 'full') throw new ApiError('conflict', FAVORITES_FULL_MESSAGE)
    return null
  })

  endpoint('POST /favorite/remove', {}, async (input, request) => {
    await favorites.set(requireUser(request).uid, parseSongId(input.s), false, nowMs())
    return null
  })

  endpoint('POST /favorite/sync', { bodyMaxBytes: SYNC_MAX_BYTES, isReadOnlyRequest: hasNoChanges }, async (input, request) =>
    favorites.sync(requireUser(request).uid, input, nowMs(), await site.viewOf(request.site.brand)),
  )
}
