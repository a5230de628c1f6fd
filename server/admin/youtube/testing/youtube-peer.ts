import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

// A server whose responses have the form of the YouTube Data API v3: https://developers.google.com/youtube/v3/docs

/** An entry of a playlist. If `videos` does not contain the entry's video, the video counts as deleted. */
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
  blockedIn?: string[]
}

export interface SimulatedPlaylist {
  title: string
  description?: string
  videoIds: string[]
}

/** The responses that are sent before normal ones: a status with a reason, a closed connection, a truncated body, or another body. */
type Fault =
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
  uploads: Map<string, string>
  faults: Fault[]
  /** Whether every page of a playlist names a next page, so that the list never ends. */
  endless: boolean
  /** The channels whose lists of uploads are refused. */
  refused: Set<string>
  /** The number of requests after which the quota is used up. */
  quota: number
  /** The requested resources, each with the ids or the page of the request. */
  requests: string[]
  close(): Promise<void>
}

const errorAnswer = (code: number, reason: string, domain: string, message = `A message about <code>${reason}</code>.`) => ({
  error: { code, message, errors: [{ message: reason, domain, reason }] },
})

export async function startSimulatedYoutube(): Promise<SimulatedYoutube> {
  const videos = new Map<string, SimulatedVideo>()
  const playlists = new Map<string, SimulatedPlaylist>()
  const uploads = new Map<string, string>()
  const pageInfo = { totalResults: 0, resultsPerPage: ITEMS_PER_PAGE }

  function playlistItem(playlistId: string, videoId: string, position: number) {
    const video = videos.get(videoId)
    const isReadable = video !== undefined && video.privacyStatus !== 'private'
    const owner = isReadable
      ? { videoOwnerChannelTitle: video.channelTitle ?? 'Somebody', videoOwnerChannelId: video.channelId ?? 'UC1' }
      : {}
    const title = video === undefined ? 'Deleted video' : isReadable ? video.title : 'Private video'
    const description = isReadable ? (video.description ?? '') : 'This video is unavailable.'
    return {
      kind: 'youtube#playlistItem',
      etag: 'e',
      id: `item${position}`,
      snippet: { publishedAt: ADDED_AT, channelId: 'UC0', title, description, playlistId, position, resourceId: { videoId }, ...owner },
      contentDetails: { videoId, ...(isReadable ? { videoPublishedAt: video.publishedAt ?? '2025-06-01T00:00:00Z' } : {}) },
      status: { privacyStatus: video === undefined ? 'privacyStatusUnspecified' : (video.privacyStatus ?? 'public') },
    }
  }

  function videoItem(id: string, video: SimulatedVideo) {
    return {
      kind: 'youtube#video',
      etag: 'e',
      id,
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
        ...(video.blockedIn !== undefined && { regionRestriction: { blocked: video.blockedIn } }),
        contentRating: video.ageRestricted === true ? { ytRating: 'ytAgeRestricted' } : {},
      },
      status: { uploadStatus: 'processed', privacyStatus: video.privacyStatus ?? 'public', embeddable: video.embeddable ?? true },
    }
  }

  function answerRequest(resource: string, query: URLSearchParams): { status: number; body: unknown } {
    const ids = query.get('id')?.split(',') ?? []
    if (ids.length > ITEMS_PER_PAGE) return { status: 400, body: errorAnswer(400, 'invalidFilters', 'youtube.parameter') }
    if (query.get('key') !== API_KEY) return { status: 400, body: errorAnswer(400, 'badRequest', 'global') }
    const listOf = (items: unknown[]) => ({ status: 200, body: { kind: `youtube#${resource}ListResponse`, etag: 'e', pageInfo, items } })
    if (resource === 'videos') {
      const readable = ids.flatMap((id) => {
        const video = videos.get(id)
        return video === undefined || video.privacyStatus === 'private' ? [] : [videoItem(id, video)]
      })
      return listOf(readable)
    }
    if (resource === 'channels')
      return listOf(
        ids.flatMap((id) => {
          const playlistId = uploads.get(id)
          return playlistId === undefined ? [] : [{ id, contentDetails: { relatedPlaylists: { likes: '', uploads: playlistId } } }]
        }),
      )
    if (resource === 'playlists')
      return listOf(
        ids.flatMap((id) => {
          const playlist = playlists.get(id)
          return playlist === undefined ? [] : [{ id, snippet: { title: playlist.title, description: playlist.description ?? '' } }]
        }),
      )
    const playlistId = query.get('playlistId') ?? ''
    if (peer.refused.has(playlistId)) return { status: 403, body: errorAnswer(403, 'playlistItemsNotAccessible', 'youtube.playlistItem') }
    const playlist = playlists.get(playlistId)
    if (playlist === undefined) return { status: 404, body: errorAnswer(404, 'playlistNotFound', 'youtube.playlistItem') }
    const firstIndex = Number(query.get('pageToken') ?? 0)
    const items = playlist.videoIds
      .slice(firstIndex, firstIndex + ITEMS_PER_PAGE)
      .map((id, i) => playlistItem(playlistId, id, firstIndex + i))
    const next =
      peer.endless || firstIndex + ITEMS_PER_PAGE < playlist.videoIds.length ? { nextPageToken: String(firstIndex + ITEMS_PER_PAGE) } : {}
    return { status: 200, body: { ...listOf(items).body, ...next } }
  }

  function respond(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? '/', 'http://localhost')
    const resource = url.pathname.replace('/youtube/v3/', '')
    peer.requests.push(
      `${resource} ${url.searchParams.get('id') ?? `${url.searchParams.get('playlistId')} ${url.searchParams.get('pageToken') ?? 0}`}`,
    )
    const send = (status: number, body: unknown, headers: Record<string, string> = {}) =>
      response.writeHead(status, { 'content-type': 'application/json; charset=UTF-8', ...headers }).end(JSON.stringify(body))
    const fault = peer.faults.shift()
    if (fault === 'closed') request.socket.destroy()
    else if (fault === 'cut') response.writeHead(200, { 'content-type': 'application/json' }).end('{"items": [')
    else if (fault !== undefined && 'body' in fault) send(200, fault.body)
    else if (fault !== undefined && 'text' in fault) response.writeHead(200).end(fault.text)
    else if (fault !== undefined)
      send(
        fault.status,
        errorAnswer(fault.status, fault.reason, 'global', fault.message),
        fault.retryAfter === undefined ? {} : { 'retry-after': fault.retryAfter },
      )
    else if (peer.quota-- <= 0) send(403, errorAnswer(403, 'quotaExceeded', 'youtube.quota'))
    else {
      const { status, body } = answerRequest(resource, url.searchParams)
      send(status, body)
    }
  }

  const server = createServer(respond)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const peer: SimulatedYoutube = {
    env: { YOUTUBE_API_KEY: API_KEY, YOUTUBE_API_BASE: `http://127.0.0.1:${port}/youtube/v3` },
    videos,
    playlists,
    uploads,
    faults: [],
    endless: false,
    refused: new Set(),
    quota: 10_000,
    requests: [],
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return peer
}
