import { ApiError } from '../../contract/errors.ts'
import { parseVideoId } from '../../contract/youtube.ts'
import { clientIdOf } from '../http/client-id.ts'
import { pageOf, type RouteContext } from './route-context.ts'

const SEARCH_LIMIT = 50

const noSuchSong = () => new ApiError('not-found', 'There is no such song.')

function songIdOf(s: string): string {
  const id = parseVideoId(s)
  if (id === undefined) throw noSuchSong()
  return id
}

/** The context that `p` names. Favorites belong to an account, so they need a token that is valid. */
function contextIdOf(p: string | undefined): string | undefined {
  const id = p?.trim()
  if (id === 'favorite') throw new ApiError('unauthenticated', 'Please log in to play your favorites.')
  return id === '' ? undefined : id
}

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
    const song = await storage.songs.get(songIdOf(input.s), contextId, await site.viewOf(request.site.brand))
    if (song === undefined) throw noSuchSong()
    return song
  })

  endpoint('GET /song/random', {}, async (input) => {
    const song = await storage.songs.random(contextIdOf(input.p), input.not === undefined ? undefined : parseVideoId(input.not))
    if (song === undefined) throw new ApiError('not-found', 'There is no song to choose from.')
    return song
  })

  endpoint('POST /song/play', {}, async (input, request) => {
    const play = { songId: songIdOf(input.s), contextId: input.p?.trim() || undefined, clientId: clientIdOf(request.ip), atMs: nowMs() }
    if (!(await storage.songs.countPlay(play))) throw noSuchSong()
    return null
  })

  endpoint('POST /song/unplayable', {}, async (input, request) => {
    const report = { songId: songIdOf(input.s), reason: input.reason, clientId: clientIdOf(request.ip), atMs: nowMs() }
    if (!(await storage.songs.reportUnplayable(report))) throw noSuchSong()
    return null
  })
}
