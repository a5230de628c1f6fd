import { FAVORITES_ID } from '../../contract/computed-playlists.ts'
import { parseVideoId } from '../../contract/youtube.ts'
import { clientIdOf } from '../http/client-id.ts'
import { requireUser } from '../http/endpoint.ts'
import { noSongToChoose, noSuchSong, pageOf, type RouteContext, saidAtMs, songIdOf } from './route-context.ts'

const SEARCH_LIMIT = 50

const contextIdOf = (p: string | undefined): string | undefined => p?.trim() || undefined

export function registerSongs({ endpoint, storage, site, nowMs }: RouteContext): void {
  endpoint('GET /song/search', { cached: true }, async (input, request) =>
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

  endpoint('GET /song/get', { cached: true }, async (input, request) => {
    const contextId = contextIdOf(input.p)
    // Favorites belong to an account, so they need a token that counts.
    const uid = contextId === FAVORITES_ID ? requireUser(request).uid : request.user?.uid
    const song = await storage.songs.get(songIdOf(input.s), contextId, await site.viewOf(request.site.brand), uid)
    if (song === undefined) throw noSuchSong()
    return song
  })

  endpoint('GET /song/random', {}, async (input, request) => {
    const contextId = contextIdOf(input.p)
    const not = input.not === undefined ? undefined : parseVideoId(input.not)
    const song = await (contextId === FAVORITES_ID
      ? storage.favorites.random(requireUser(request).uid, not)
      : storage.songs.random(contextId, not))
    if (song === undefined) throw noSongToChoose()
    return song
  })

  endpoint('POST /song/play', {}, async (input, request) => {
    const counted = await storage.songs.countPlay({
      songId: songIdOf(input.s),
      contextId: contextIdOf(input.p),
      clientId: clientIdOf(request.ip),
      atMs: saidAtMs(input.played_at, nowMs()),
      nowMs: nowMs(),
      changeId: input.change_id?.toLowerCase(),
    })
    if (!counted) throw noSuchSong()
    return null
  })

  endpoint('POST /song/unplayable', {}, async (input, request) => {
    const report = { songId: songIdOf(input.s), reason: input.reason, clientId: clientIdOf(request.ip), atMs: nowMs() }
    if (!(await storage.songs.reportUnplayable(report))) throw noSuchSong()
    return null
  })
}
