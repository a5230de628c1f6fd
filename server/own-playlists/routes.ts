import type { FastifyRequest } from 'fastify'
import { ApiError } from '../../contract/errors.ts'
import { ENTRIES_PER_CALL_MAX, ownPlaylistMessages } from '../../contract/own-playlist-rules.ts'
import type { Song } from '../../contract/song.ts'
import { parseVideoId } from '../../contract/youtube.ts'
import { LongList, readPages } from '../http/long-list.ts'
import { hasNoChanges } from '../http/sync-request.ts'
import { requireUser } from '../http/user.ts'
import type { YoutubeReader } from '../http/youtube-reader.ts'
import { type RouteContext, readPagination } from '../route-context.ts'
import type { WebsiteService } from '../websites/websites.ts'
import { createVideoFinder, type FoundVideos } from './find-videos.ts'
import { matchNames } from './match-names.ts'
import { findSharedPlaylist } from './shared-playlist.ts'
import { createYoutubePlaylistReader } from './youtube-playlists.ts'

/** The maximum size of a sync request in bytes: the maximum number of changes and entries, with texts of maximum length. */
const SYNC_MAX_BYTES = 1_572_864

const createNoPlaylistError = () => new ApiError('not-found', ownPlaylistMessages.noPlaylist)

/**
 * Maximum number of parts of YouTube's playlists that a network reads in an hour, and of its calls for videos, because each uses the daily quota of the
 * site's key: up to eleven units, and one.
 */
const YOUTUBE_PARTS_PER_HOUR = 60
const VIDEO_CALLS_PER_HOUR = 400

interface OwnPlaylistDeps {
  websites: Pick<WebsiteService, 'cardOf'>
  readYoutube: YoutubeReader | undefined
  /** Whether playlists may contain videos that the catalogue lacks. */
  takesVideos: boolean
}

export function registerOwnPlaylistRoutes(context: RouteContext, { websites, ...importDeps }: OwnPlaylistDeps): void {
  registerImports(context, importDeps)
  const { endpoint, storage, site, nowMs, dailyClientId } = context
  const { ownPlaylists } = storage

  endpoint('POST /list/sync', { bodyMaxBytes: SYNC_MAX_BYTES, isReadOnlyRequest: hasNoChanges }, async (input, request) => {
    const entryCount = (input.changes ?? []).reduce((sum, { entries = [] }) => sum + entries.length, 0)
    if (entryCount > ENTRIES_PER_CALL_MAX)
      throw new ApiError('bad-input', `changes must have at most ${ENTRIES_PER_CALL_MAX} entries together`)
    return ownPlaylists.sync(requireUser(request).uid, input, nowMs(), await site.viewOf(request.site.brand))
  })

  endpoint('POST /list/share', {}, async ({ l, share, indexed }, request) => {
    const shareOutcome = await ownPlaylists.share(requireUser(request).uid, l.toLowerCase(), share, indexed)
    if (shareOutcome === 'no-playlist') throw createNoPlaylistError()
    if (shareOutcome === 'hidden') throw new ApiError('forbidden', 'The page of this playlist was hidden by the team of the site.')
    return shareOutcome
  })

  endpoint('GET /list/get', {}, async (input, request) => {
    const found = await findSharedPlaylist({ storage, websites }, input.l)
    if (found === undefined) throw createNoPlaylistError()
    const readOptions = await site.viewOf(request.site.brand)
    return new LongList(
      { ...found.playlist, songs: [] },
      readPages(readPagination(input), (page) => found.listSongs(page, readOptions)),
    )
  })

  endpoint('POST /list/report', {}, async ({ l, reason }, request) => {
    const report = { clientId: await dailyClientId(request.ip), reason, atMs: nowMs() }
    if (!(await ownPlaylists.report(l, report))) throw createNoPlaylistError()
    return null
  })
}

/** Registers the endpoints that find the songs of playlists of other programs. */
function registerImports(
  { endpoint, storage, site, nowMs }: RouteContext,
  { readYoutube, takesVideos }: Pick<OwnPlaylistDeps, 'readYoutube' | 'takesVideos'>,
): void {
  const { songs } = storage
  const readYoutubePlaylist = createYoutubePlaylistReader(readYoutube)
  const findVideos = takesVideos && readYoutube !== undefined ? createVideoFinder(storage, readYoutube) : undefined

  endpoint('POST /list/match', {}, async ({ ids = [], names = [] }, request) => {
    const readOptions = await site.viewOf(request.site.brand)
    const songsFoundById = await songs.listByIds([...new Set(ids.flatMap((id) => parseVideoId(id) ?? []))], readOptions)
    const found = await matchNames(songs, names, readOptions)
    const matches = new Map([...songsFoundById, ...found].flatMap((song) => (song === undefined ? [] : [[song.youtube_id, song]])))
    return {
      songs: [...matches.values()],
      found: found.map((song) => song?.youtube_id ?? ''),
      takes_videos: findVideos !== undefined,
    }
  })

  /** Returns the songs of the catalogue with the given ids and, where they are allowed, the videos with the others. */
  async function findSongsAndVideos(videoIds: readonly string[], request: FastifyRequest): Promise<{ songs: Song[]; videos: FoundVideos }> {
    const catalogueSongs = await songs.listByIds(videoIds, await site.viewOf(request.site.brand))
    const catalogueIds = new Set(catalogueSongs.map((song) => song.youtube_id))
    const otherIds = videoIds.filter((id) => !catalogueIds.has(id))
    const videos = await findVideos?.(requireUser(request).uid, otherIds, nowMs())
    return { songs: catalogueSongs, videos: videos ?? { songs: [] } }
  }

  endpoint('POST /list/find-videos', { maxRequestsPerHour: VIDEO_CALLS_PER_HOUR }, async ({ ids }, request) => {
    if (findVideos === undefined) throw new ApiError('not-found', 'Playlists of this site have songs of its catalogue only.')
    const { videos } = await findSongsAndVideos([...new Set(ids.flatMap((id) => parseVideoId(id) ?? []))], request)
    return videos
  })

  endpoint('POST /list/import-youtube', { maxRequestsPerHour: YOUTUBE_PARTS_PER_HOUR }, async ({ url, page }, request) => {
    const { title, items, next } = await readYoutubePlaylist(url, page)
    const { songs: catalogueSongs, videos } = await findSongsAndVideos([...new Set(items.map(({ s }) => s))], request)
    return {
      title,
      items,
      ...videos,
      songs: [...catalogueSongs, ...videos.songs],
      ...(next !== undefined && { next }),
    }
  })
}
