import type { Brand } from '../../brands/brand.ts'
import { ApiError } from '../../contract/errors.ts'
import { FAVORITES_CONTEXT_ID } from '../../contract/playlist-rules.ts'
import { RELATED_EXCLUSIONS_MAX } from '../../contract/song-rules.ts'
import { DEFAULT_SUGGESTION_LIMIT, SEARCH_START_SUGGESTIONS_MAX } from '../../contract/suggestions.ts'
import { parseVideoId } from '../../contract/youtube.ts'
import { LongList, readPages } from '../http/long-list.ts'
import type { SongRequestLog } from '../http/song-requests.ts'
import { requireUser } from '../http/user.ts'
import {
  clampClientTime,
  createNoRandomSongError,
  createNoSuchSongError,
  parseSongId,
  type RouteContext,
  readPagination,
} from '../route-context.ts'

const SEARCH_LIMIT = 50
const RELATED_LIMIT = 6
const EXPLORE_PLAYLIST_COUNT = 12

/**
 * The number of news items that are read at once. The text of each item can take 100,000 characters as HTML, and as many again as a tree of
 * rich text.
 */
const FEED_ROWS_PER_PAGE = 10

const toContextId = (p: string | undefined): string | undefined => p?.trim() || undefined

interface SongServices {
  songRequests: SongRequestLog
  /** Whether a radio station plays a song, or the song before or after it. */
  isOnAir: (brand: Brand, songId: string) => Promise<boolean>
}

export function registerSongRoutes(
  { endpoint, storage, site, nowMs, dailyClientId }: RouteContext,
  { songRequests, isOnAir }: SongServices,
): void {
  /** @throws ApiError 404 unless the id is that of a video of own playlists, which has no related songs and whose plays are not counted */
  async function requireVideo(songId: string): Promise<void> {
    if ((await storage.songs.listVideos([songId])).length === 0) throw createNoSuchSongError()
  }

  endpoint('GET /song/search', { isCached: true }, async (input, request) =>
    storage.songs.search(
      {
        text: input.s,
        artistOnly: input.type === 'artist',
        orderBy: input.orderBy ?? 'title',
        direction: input.orderDir ?? 'ASC',
        ...readPagination(input, SEARCH_LIMIT),
      },
      await site.viewOf(request.site.brand),
    ),
  )

  endpoint('GET /search/suggest', { isCached: true }, async (input, request) =>
    storage.suggestions.find(input.s, input.limit ?? DEFAULT_SUGGESTION_LIMIT, await site.viewOf(request.site.brand)),
  )

  endpoint('GET /search/similar', { isCached: true }, async (input, request) =>
    storage.suggestions.findSimilar(input.s, DEFAULT_SUGGESTION_LIMIT, await site.viewOf(request.site.brand)),
  )

  endpoint('GET /search/start', { isCached: true }, () => storage.suggestions.findStart(SEARCH_START_SUGGESTIONS_MAX))

  endpoint('GET /song/get', { isCached: true }, async (input, request) => {
    const contextId = toContextId(input.p)
    // A valid token is required for this context, because favorites belong to an account.
    const uid = contextId === FAVORITES_CONTEXT_ID ? requireUser(request).uid : request.user?.uid
    const song = await storage.songs.get(parseSongId(input.s), contextId, await site.viewOf(request.site.brand), uid)
    if (song === undefined) throw createNoSuchSongError()
    return song
  })

  endpoint('GET /song/related', { isCached: true }, async (input, request) => {
    const readOptions = await site.viewOf(request.site.brand)
    const songId = parseSongId(input.s)
    const songs = await storage.songs.listRelated(songId, readOptions, {
      limit: input.limit ?? RELATED_LIMIT,
      artistLimit: input.artist_limit,
      excludedIds: new Set(input.not?.split(',', RELATED_EXCLUSIONS_MAX)),
    })
    if (songs === undefined) await requireVideo(songId)
    return songs ?? []
  })

  endpoint('GET /song/random', {}, async (input, request) => {
    const contextId = toContextId(input.p)
    const excludedId = input.not === undefined ? undefined : parseVideoId(input.not)
    const song = await (contextId === FAVORITES_CONTEXT_ID
      ? storage.favorites.pickRandom(requireUser(request).uid, excludedId)
      : storage.songs.pickRandom(contextId, excludedId))
    if (song === undefined) throw createNoRandomSongError()
    songRequests.add(request.ip, song.youtube_id)
    return song
  })

  endpoint('POST /song/play', {}, async (input, request) => {
    const songId = parseSongId(input.s)
    const isPlayCounted = await storage.songs.countPlay({
      songId,
      contextId: toContextId(input.p),
      clientId: await dailyClientId(request.ip),
      atMs: clampClientTime(input.played_at, nowMs()),
      nowMs: nowMs(),
      changeId: input.change_id?.toLowerCase(),
      durationS: input.duration,
    })
    if (!isPlayCounted) await requireVideo(songId)
    return null
  })

  endpoint('POST /song/unplayable', {}, async (input, request) => {
    const songId = parseSongId(input.s)
    // Clients can report a song only after they received it: they requested it, or a radio station plays it.
    const wasRequested = songRequests.has(request.ip, songId) || (await isOnAir(request.site.brand, songId))
    const isSongKnown = wasRequested
      ? await storage.songs.reportUnplayable({ songId, reason: input.reason, clientId: await dailyClientId(request.ip), atMs: nowMs() })
      : (await storage.songs.get(songId, undefined, await site.viewOf(request.site.brand))) !== undefined
    if (!isSongKnown) throw createNoSuchSongError()
    return null
  })
}

export function registerPlaylistRoutes({ endpoint, storage, site, nowMs }: RouteContext): void {
  endpoint('GET /playlist/all', { isCached: true }, async (input, request) => {
    const { LEAD_PLAYLISTS } = await site.settingsOf(request.site.brand)
    return storage.playlists.list({
      homeOnly: input.home === 'true',
      order: input.order,
      leadIds: LEAD_PLAYLISTS,
      nowMs: nowMs(),
      ...readPagination(input),
    })
  })

  endpoint('GET /playlist/explore', {}, () => storage.playlists.listRandom(EXPLORE_PLAYLIST_COUNT))

  endpoint('GET /playlist/get', { isCached: true }, async (input, request) => {
    const contextId = input.p.trim()
    const readOptions = await site.viewOf(request.site.brand)
    const playlist = await storage.playlists.find(contextId)
    if (playlist === undefined) throw new ApiError('not-found', 'There is no such playlist.')
    const pages = readPages(readPagination(input), async (page) => (await storage.playlists.get(contextId, page, readOptions))?.songs ?? [])
    return new LongList({ playlist, songs: [] }, pages)
  })
}

/** Registers the endpoints of the members, the news and the other lists of the community pages. */
export function registerCommunityRoutes({ endpoint, storage, nowMs }: RouteContext): void {
  endpoint('GET /member/stats', { isCached: true }, () => storage.members.readStats())
  endpoint('GET /member/all', { isCached: true }, async (input) => new LongList([], readPages(readPagination(input), storage.members.list)))
  endpoint(
    'GET /member/testimonial',
    { isCached: true },
    async (input) => new LongList([], readPages(readPagination(input), storage.members.listTestimonials)),
  )
  endpoint(
    'GET /subscriber/getsubscriberssite',
    { isCached: true },
    async (input) =>
      new LongList(
        [],
        readPages(readPagination(input), (page) => storage.supporters.list(page, nowMs())),
      ),
  )
  endpoint('GET /feed/get', { isCached: true }, async (input) => {
    const atMs = nowMs()
    return new LongList(
      [],
      readPages(readPagination(input), (page) => storage.feed.list(page, atMs), FEED_ROWS_PER_PAGE),
    )
  })
}
