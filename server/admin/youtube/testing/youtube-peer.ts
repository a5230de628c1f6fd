import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

// A server whose responses have the form of the YouTube Data API v3: https://developers.google.com/youtube/v3/docs

/** A video of the simulated service. A video of a playlist counts as deleted if `videos` does not contain it. */
export interface SimulatedVideo {
  title: string
  description?: string
  channelId?: string
  channelTitle?: string
  duration?: string
  publishedAt?: string
  privacyStatus?: 'public' | 'unlisted' | 'private'
  embeddable?: boolean
  live?: boolean
  ageRestricted?: boolean
  blockedCountries?: string[]
}

export interface SimulatedPlaylist {
  title: string
  description?: string
  videoIds: string[]
}

/** The responses that are sent before normal ones: a status with a reason, a closed connection, a truncated body, or another body. */
type YoutubeFault =
  | { status: number; reason: string; message?: string; retryAfter?: string }
  | { body: unknown }
  | { text: string }
  | 'closed'
  | 'cut'

const ITEMS_PER_PAGE = 50
const ADDED_AT = '2026-02-03T04:05:06Z'
const API_KEY = 'AIzaSyTestTestTest'

export interface SimulatedYoutube {
  env: { YOUTUBE_API_KEY: string; YOUTUBE_API_BASE: string }
  videos: Map<string, SimulatedVideo>
  playlists: Map<string, SimulatedPlaylist>
  /** The playlists with the uploads, by channel. */
  uploadsIdByChannelId: Map<string, string>
  faults: YoutubeFault[]
  /** Whether every page of a playlist names a next page, so that the list never ends. */
  hasEndlessLists: boolean
  /** The channels whose lists of uploads are refused. */
  refusedPlaylistIds: Set<string>
  /** The number of requests after which the quota is used up. */
  remainingQuota: number
  /** The requested resources, each with the ids or the page of the request. */
  requestTexts: string[]
  close(): Promise<void>
}

const createErrorAnswer = (code: number, reason: string, domain: string, message = `A message about <code>${reason}</code>.`) => ({
  error: { code, message, errors: [{ message: reason, domain, reason }] },
})

export async function startSimulatedYoutube(): Promise<SimulatedYoutube> {
  const videoById = new Map<string, SimulatedVideo>()
  const playlistById = new Map<string, SimulatedPlaylist>()
  const uploadsByChannelId = new Map<string, string>()
  const pageInfo = { totalResults: 0, resultsPerPage: ITEMS_PER_PAGE }

  function createPlaylistItem(playlistId: string, videoId: string, itemPosition: number) {
    const simulatedVideo = videoById.get(videoId)
    const isVideoReadable = simulatedVideo !== undefined && simulatedVideo.privacyStatus !== 'private'
    const ownerFields = isVideoReadable
      ? { videoOwnerChannelTitle: simulatedVideo.channelTitle ?? 'Somebody', videoOwnerChannelId: simulatedVideo.channelId ?? 'UC1' }
      : {}
    const title = simulatedVideo === undefined ? 'Deleted video' : isVideoReadable ? simulatedVideo.title : 'Private video'
    const description = isVideoReadable ? (simulatedVideo.description ?? '') : 'This video is unavailable.'
    return {
      kind: 'youtube#playlistItem',
      etag: 'e',
      id: `item${itemPosition}`,
      snippet: {
        publishedAt: ADDED_AT,
        channelId: 'UC0',
        title,
        description,
        playlistId,
        position: itemPosition,
        resourceId: { videoId },
        ...ownerFields,
      },
      contentDetails: { videoId, ...(isVideoReadable ? { videoPublishedAt: simulatedVideo.publishedAt ?? '2025-06-01T00:00:00Z' } : {}) },
      status: { privacyStatus: simulatedVideo === undefined ? 'privacyStatusUnspecified' : (simulatedVideo.privacyStatus ?? 'public') },
    }
  }

  function createVideoItem(videoId: string, video: SimulatedVideo) {
    return {
      kind: 'youtube#video',
      etag: 'e',
      id: videoId,
      snippet: {
        publishedAt: video.publishedAt ?? '2025-06-01T00:00:00Z',
        channelId: video.channelId ?? 'UC1',
        title: video.title,
        description: video.description ?? '',
        channelTitle: video.channelTitle ?? 'Somebody',
        liveBroadcastContent: video.live === true ? 'live' : 'none',
      },
      contentDetails: {
        duration: video.live === true ? 'P0D' : (video.duration ?? 'PT3M20S'),
        dimension: '2d',
        ...(video.blockedCountries !== undefined && { regionRestriction: { blocked: video.blockedCountries } }),
        contentRating: video.ageRestricted === true ? { ytRating: 'ytAgeRestricted' } : {},
      },
      status: { uploadStatus: 'processed', privacyStatus: video.privacyStatus ?? 'public', embeddable: video.embeddable ?? true },
    }
  }

  function answerRequest(resourceName: string, queryParams: URLSearchParams): { status: number; body: unknown } {
    const requestedIds = queryParams.get('id')?.split(',') ?? []
    if (requestedIds.length > ITEMS_PER_PAGE) return { status: 400, body: createErrorAnswer(400, 'invalidFilters', 'youtube.parameter') }
    if (queryParams.get('key') !== API_KEY) return { status: 400, body: createErrorAnswer(400, 'badRequest', 'global') }
    const createListAnswer = (listedItems: unknown[]) => ({
      status: 200,
      body: { kind: `youtube#${resourceName}ListResponse`, etag: 'e', pageInfo, items: listedItems },
    })
    if (resourceName === 'videos') {
      const readableItems = requestedIds.flatMap((itemId) => {
        const video = videoById.get(itemId)
        return video === undefined || video.privacyStatus === 'private' ? [] : [createVideoItem(itemId, video)]
      })
      return createListAnswer(readableItems)
    }
    if (resourceName === 'channels')
      return createListAnswer(
        requestedIds.flatMap((itemId) => {
          const playlistId = uploadsByChannelId.get(itemId)
          return playlistId === undefined ? [] : [{ id: itemId, contentDetails: { relatedPlaylists: { likes: '', uploads: playlistId } } }]
        }),
      )
    if (resourceName === 'playlists')
      return createListAnswer(
        requestedIds.flatMap((itemId) => {
          const playlist = playlistById.get(itemId)
          return playlist === undefined ? [] : [{ id: itemId, snippet: { title: playlist.title, description: playlist.description ?? '' } }]
        }),
      )
    const playlistId = queryParams.get('playlistId') ?? ''
    if (peer.refusedPlaylistIds.has(playlistId))
      return { status: 403, body: createErrorAnswer(403, 'playlistItemsNotAccessible', 'youtube.playlistItem') }
    const playlist = playlistById.get(playlistId)
    if (playlist === undefined) return { status: 404, body: createErrorAnswer(404, 'playlistNotFound', 'youtube.playlistItem') }
    const firstIndex = Number(queryParams.get('pageToken') ?? 0)
    const playlistItems = playlist.videoIds
      .slice(firstIndex, firstIndex + ITEMS_PER_PAGE)
      .map((id, i) => createPlaylistItem(playlistId, id, firstIndex + i))
    const next =
      peer.hasEndlessLists || firstIndex + ITEMS_PER_PAGE < playlist.videoIds.length
        ? { nextPageToken: String(firstIndex + ITEMS_PER_PAGE) }
        : {}
    return { status: 200, body: { ...createListAnswer(playlistItems).body, ...next } }
  }

  function respondToRequest(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? '/', 'http://localhost')
    const resourceName = url.pathname.replace('/youtube/v3/', '')
    peer.requestTexts.push(
      `${resourceName} ${url.searchParams.get('id') ?? `${url.searchParams.get('playlistId')} ${url.searchParams.get('pageToken') ?? 0}`}`,
    )
    const sendJson = (status: number, body: unknown, headers: Record<string, string> = {}) =>
      response.writeHead(status, { 'content-type': 'application/json; charset=UTF-8', ...headers }).end(JSON.stringify(body))
    const queuedFault = peer.faults.shift()
    if (queuedFault === 'closed') request.socket.destroy()
    else if (queuedFault === 'cut') response.writeHead(200, { 'content-type': 'application/json' }).end('{"items": [')
    else if (queuedFault !== undefined && 'body' in queuedFault) sendJson(200, queuedFault.body)
    else if (queuedFault !== undefined && 'text' in queuedFault) response.writeHead(200).end(queuedFault.text)
    else if (queuedFault !== undefined)
      sendJson(
        queuedFault.status,
        createErrorAnswer(queuedFault.status, queuedFault.reason, 'global', queuedFault.message),
        queuedFault.retryAfter === undefined ? {} : { 'retry-after': queuedFault.retryAfter },
      )
    else if (peer.remainingQuota-- <= 0) sendJson(403, createErrorAnswer(403, 'quotaExceeded', 'youtube.quota'))
    else {
      const { status, body } = answerRequest(resourceName, url.searchParams)
      sendJson(status, body)
    }
  }

  const server = createServer(respondToRequest)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const peer: SimulatedYoutube = {
    env: { YOUTUBE_API_KEY: API_KEY, YOUTUBE_API_BASE: `http://127.0.0.1:${port}/youtube/v3` },
    videos: videoById,
    playlists: playlistById,
    uploadsIdByChannelId: uploadsByChannelId,
    faults: [],
    hasEndlessLists: false,
    refusedPlaylistIds: new Set(),
    remainingQuota: 10_000,
    requestTexts: [],
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return peer
}
