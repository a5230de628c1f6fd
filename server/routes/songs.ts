import { FAVORITES_ID } from '../../contract/computed-playlists.ts'
import { DEFAULT_SUGGESTION_LIMIT } from '../../contract/suggestions.ts'
import { parseVideoId } from '../../contract/youtube.ts'
import { requireUser } from '../http/user.ts'
import { clampClientTime, noRandomSong, noSuchSong, pageOf, type RouteContext, songIdOf } from './route-context.ts'

const SEARCH_LIMIT = 50
const RELATED_LIMIT = 6

const contextIdOf = (p: string | undefined): string | undefined => p?.trim() || undefined

export function registerSongs({ endpoint, storage, site, nowMs, dailyClientId }: RouteContext): void {
  endpoint('GET /song/search', { isCached: true }, async (input, request) =>
    storage.songs.search(
      {
        text: input.s,
        artistOnly: input.type === 'artist',
        orderBy: input.orderBy ?? 'title',
        direction: input.orderDir ?? 'ASC',
        ...pageOf(input, SEARCH_LIMIT),
      },
      await site.viewOf(request.site.brand),
    ),
  )

  endpoint('GET /search/suggest', { isCached: true }, async (input, request) =>
    storage.suggestions.find(input.s, input.limit ?? DEFAULT_SUGGESTION_LIMIT, await site.viewOf(request.site.brand)),
  )

  endpoint('GET /song/get', { isCached: true }, async (input, request) => {
    const contextId = contextIdOf(input.p)
    // A valid token is required for this context, because favorites belong to an account.
    const uid = contextId === FAVORITES_ID ? requireUser(request).uid : request.user?.uid
    const song = await storage.songs.get(songIdOf(input.s), contextId, await site.viewOf(request.site.brand), uid)
    if (song === undefined) throw noSuchSong()
    return song
  })

  endpoint('GET /song/related', { isCached: true }, async (input, request) => {
    const view = await site.viewOf(request.site.brand)
    const songs = await storage.songs.listRelated(songIdOf(input.s), input.limit ?? RELATED_LIMIT, view)
    if (songs === undefined) throw noSuchSong()
    return songs
  })

  endpoint('GET /song/random', {}, async (input, request) => {
    const contextId = contextIdOf(input.p)
    const excludedId = input.not === undefined ? undefined : parseVideoId(input.not)
    const song = await (contextId === FAVORITES_ID
      ? storage.favorites.pickRandom(requireUser(request).uid, excludedId)
      : storage.songs.pickRandom(contextId, excludedId))
    if (song === undefined) throw noRandomSong()
    return song
  })

  endpoint('POST /song/play', {}, async (input, request) => {
    const isCounted = await storage.songs.countPlay({
      songId: songIdOf(input.s),
      contextId: contextIdOf(input.p),
      clientId: await dailyClientId(request.ip),
      atMs: clampClientTime(input.played_at, nowMs()),
      nowMs: nowMs(),
      changeId: input.change_id?.toLowerCase(),
      durationS: input.duration,
    })
    if (!isCounted) throw noSuchSong()
    return null
  })

  endpoint('POST /song/unplayable', {}, async (input, request) => {
    const report = { songId: songIdOf(input.s), reason: input.reason, clientId: await dailyClientId(request.ip), atMs: nowMs() }
    if (!(await storage.songs.reportUnplayable(report))) throw noSuchSong()
    return null
  })
}
