import type { FastifyRequest } from 'fastify'
import { FAVORITES_ID } from '../../contract/computed-playlists.ts'
import { stations as radioStations } from '../../contract/radio.ts'
import { DEFAULT_SUGGESTION_LIMIT } from '../../contract/suggestions.ts'
import { parseVideoId } from '../../contract/youtube.ts'
import type { SongRequests } from '../http/song-requests.ts'
import { requireUser } from '../http/user.ts'
import type { RadioStations } from '../radio/radio.ts'
import { clampClientTime, noRandomSong, noSuchSong, pageOf, type RouteContext, songIdOf } from '../route-context.ts'

const SEARCH_LIMIT = 50
const RELATED_LIMIT = 6

const contextIdOf = (p: string | undefined): string | undefined => p?.trim() || undefined

interface SongServices {
  songRequests: SongRequests
  stations: RadioStations
}

export function registerSongs(
  { endpoint, storage, site, nowMs, dailyClientId }: RouteContext,
  { songRequests, stations }: SongServices,
): void {
  /** Whether the client was given the song to play: by a request for it, or by a station, whose listeners do not ask for songs. */
  async function wasGiven({ ip, site: { brand } }: FastifyRequest, songId: string): Promise<boolean> {
    if (songRequests.has(ip, songId)) return true
    const onAir = await Promise.all(radioStations.map((station) => stations.onAir(brand, station)))
    return onAir.some((current) => [current, current?.next, current?.history[0]].some((airing) => airing?.youtube_id === songId))
  }

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
    songRequests.add(request.ip, song.youtube_id)
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
    const songId = songIdOf(input.s)
    const isKnown = (await wasGiven(request, songId))
      ? await storage.songs.reportUnplayable({ songId, reason: input.reason, clientId: await dailyClientId(request.ip), atMs: nowMs() })
      : (await storage.songs.get(songId, undefined, await site.viewOf(request.site.brand))) !== undefined
    if (!isKnown) throw noSuchSong()
    return null
  })
}
