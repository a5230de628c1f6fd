import { setTimeout as waitMs } from 'node:timers/promises'
import type { Static } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Config } from '../../config.ts'
import { DAY_MS, HOUR_MS } from '../../durations.ts'
import { CommandError, toPrintable } from '../command.ts'
import { ErrorResponse, type PlaylistItem, responseSchemas, type Video } from './schemas.ts'

const pacificTimeFormat = new Intl.DateTimeFormat('en-US', {
  timeZone: 'America/Los_Angeles',
  hourCycle: 'h23',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
})

/** Returns the time of day in California in milliseconds since midnight, rounded down to whole seconds. */
function computePacificTimeOfDay(epochMs: number): number {
  const readDatePart = (type: Intl.DateTimeFormatPartTypes) =>
    Number(pacificTimeFormat.formatToParts(epochMs).find((each) => each.type === type)?.value)
  return readDatePart('hour') * HOUR_MS + readDatePart('minute') * 60_000 + readDatePart('second') * 1000
}

/** Returns the next midnight in California after `nowMs`, at which Google renews the daily quotas. Both are epoch milliseconds. */
export function findNextPacificMidnightMs(nowMs: number): number {
  const wholeSecondMs = Math.floor(nowMs / 1000) * 1000
  const estimateMs = wholeSecondMs + DAY_MS - computePacificTimeOfDay(wholeSecondMs)
  // `estimateMs` is an hour off if the clocks change before that midnight, because the day then has 23 or 25 hours.
  const errorMs = computePacificTimeOfDay(estimateMs)
  return estimateMs - (errorMs > DAY_MS / 2 ? errorMs - DAY_MS : errorMs)
}

/** The number of items per request, which is the maximum that the API allows. */
const ITEMS_PER_PAGE = 50
const REQUEST_TIMEOUT_MS = 30_000
/** The pauses between the attempts of a request. */
const RETRY_DELAYS_MS = [1000, 2000, 4000, 8000, 16_000] as const
const RETRY_AFTER_MAX_S = 60
/** The maximum number of pages that are read of a list. No real list is that long. */
const PAGES_MAX = 2000
const QUOTA_REASONS = new Set(['quotaExceeded', 'dailyLimitExceeded'])
const BUSY_REASONS = new Set(['rateLimitExceeded', 'userRateLimitExceeded', 'backendError', 'internalError'])

/** The error of an import that was interrupted and can be continued later. */
export class InterruptedError extends CommandError {
  override readonly name = 'InterruptedError'
}

/** The error of an attempt after which the request is repeated. */
class TemporaryError extends Error {
  override readonly name = 'TemporaryError'
  constructor(
    message: string,
    readonly minDelayMs = 0,
  ) {
    super(message)
  }
}

/** The error of a playlist that does not exist or is private. A channel without uploads has no playlist of uploads. */
export class NoPlaylistError extends CommandError {
  override readonly name = 'NoPlaylistError'
}

type YoutubeResource = keyof typeof responseSchemas
type YoutubeResponse<R extends YoutubeResource> = Static<(typeof responseSchemas)[R]>

const answerChecks = {
  playlists: Compile(responseSchemas.playlists),
  playlistItems: Compile(responseSchemas.playlistItems),
  videos: Compile(responseSchemas.videos),
  channels: Compile(responseSchemas.channels),
}
const errorCheck = Compile(ErrorResponse)

interface YoutubeApiOptions {
  nowMs?: () => number
  delay?: (ms: number) => Promise<unknown>
  /** The maximum number of requests, of which each attempt is one; by default, there is none. A further request throws an InterruptedError. */
  requestsMax?: number
}

/** Splits a list into lists of at most 50 items, one for each request. */
export function splitIntoBatches<T>(batchedItems: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(batchedItems.length / ITEMS_PER_PAGE) }, (_, i) =>
    batchedItems.slice(i * ITEMS_PER_PAGE, (i + 1) * ITEMS_PER_PAGE),
  )
}

function readRetryAfterMs(response: Response): number {
  const seconds = Number(response.headers.get('retry-after') ?? 0)
  return seconds > 0 ? Math.min(seconds, RETRY_AFTER_MAX_S) * 1000 : 0
}

/**
 * Reads the YouTube Data API v3 with an API key. A request that fails for a temporary reason is repeated up to five times with growing pauses. If
 * it still fails, or if the daily quota is used up, an InterruptedError is thrown. Each attempt of a request costs one unit of the quota.
 */
export function createYoutubeApi(
  { apiKey, apiBase }: Config['youtube'],
  { nowMs = Date.now, delay = (ms) => waitMs(ms), requestsMax = Number.POSITIVE_INFINITY }: YoutubeApiOptions = {},
) {
  if (apiKey === undefined) throw new CommandError('YOUTUBE_API_KEY is not set: docs/admin.md, step 2, says how to get one')
  const encodedKey: string = apiKey
  let requestCount = 0

  /** Shortens an error message of YouTube to one line, and removes the API key, which some messages contain. */
  const toOneLine = (text: string) => toPrintable(text).replaceAll(encodedKey, '…').slice(0, 300)

  /** Maps an error response to the error to throw. */
  async function toCommandError(response: Response, playlistId: string): Promise<Error> {
    const answerJson: unknown = await response.json().catch(() => undefined)
    const { message = '', errors = [] } = errorCheck.Check(answerJson) ? answerJson.error : {}
    const errorReason = errors[0]?.reason ?? ''
    const errorSummary = toOneLine(`${response.status} ${errorReason} ${message.replace(/<[^<>]*>/g, '')}`.replace(/ +/g, ' ').trim())
    // YouTube sometimes gives the same reason for the daily limit as for limits per minute; only the message tells them apart.
    if (QUOTA_REASONS.has(errorReason) || (BUSY_REASONS.has(errorReason) && /\bper day\b/i.test(message))) {
      const renewal = new Date(findNextPacificMidnightMs(nowMs())).toISOString().slice(0, 16)
      return new InterruptedError(`The quota of the API key is used up for today. It is renewed at ${renewal}Z (midnight in California)`)
    }
    if (response.status === 429 || response.status >= 500 || BUSY_REASONS.has(errorReason))
      return new TemporaryError(errorSummary, readRetryAfterMs(response))
    if (errorReason === 'playlistNotFound') return new NoPlaylistError(`YouTube has no public playlist '${toPrintable(playlistId)}'`)
    return new CommandError(`YouTube refuses the request: ${errorSummary}`)
  }

  async function requestOnce<R extends YoutubeResource>(resourceName: R, queryParams: URLSearchParams): Promise<YoutubeResponse<R>> {
    if (requestCount >= requestsMax) throw new InterruptedError(`${requestsMax} requests to YouTube are the most of one run`)
    requestCount++
    const timeoutSignal = AbortSignal.timeout(REQUEST_TIMEOUT_MS)
    let youtubeAnswer: unknown
    try {
      const response = await fetch(`${apiBase}/${resourceName}?${queryParams}`, {
        signal: timeoutSignal,
        redirect: 'error',
        headers: { accept: 'application/json' },
      })
      if (!response.ok) throw await toCommandError(response, queryParams.get('playlistId') ?? '')
      youtubeAnswer = await response.json()
    } catch (error) {
      if (error instanceof CommandError || error instanceof TemporaryError) throw error
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
      throw new TemporaryError(cause instanceof Error ? toOneLine(cause.message) : 'no answer')
    }
    if (!answerChecks[resourceName].Check(youtubeAnswer)) throw new CommandError(`YouTube's answer to ${resourceName} has an unknown form`)
    // `Check` validated the answer; TypeScript cannot narrow a schema that is selected by a generic key.
    return youtubeAnswer as YoutubeResponse<R>
  }

  async function request<R extends YoutubeResource>(resourceName: R, queryParameters: Record<string, string>): Promise<YoutubeResponse<R>> {
    const queryParams = new URLSearchParams({ ...queryParameters, key: encodedKey })
    for (let attemptIndex = 0; ; attemptIndex++) {
      try {
        return await requestOnce(resourceName, queryParams)
      } catch (error) {
        if (!(error instanceof TemporaryError)) throw error
        const delayMs = RETRY_DELAYS_MS[attemptIndex]
        if (delayMs === undefined) throw new InterruptedError(`YouTube cannot be reached (${error.message})`)
        await delay(Math.max(delayMs, error.minDelayMs))
      }
    }
  }

  return {
    /** Returns the texts of a public or unlisted playlist. @throws NoPlaylistError */
    readPlaylist: async (playlistId: string): Promise<{ title: string; description: string }> => {
      const { items: [playlist] = [] } = await request('playlists', { part: 'snippet', id: playlistId })
      if (playlist === undefined) throw new NoPlaylistError(`YouTube has no public playlist '${toPrintable(playlistId)}'`)
      return playlist.snippet
    },
    /** Yields the items of a playlist, one list per request. @throws NoPlaylistError */
    pagesOf: async function* (playlistId: string): AsyncGenerator<PlaylistItem[]> {
      const seenTokens = new Set<string>()
      let pageToken: string | undefined
      do {
        const itemParameters = { part: 'snippet,contentDetails,status', playlistId, maxResults: String(ITEMS_PER_PAGE) }
        const tokenParameter = pageToken === undefined ? {} : { pageToken }
        const { items = [], nextPageToken } = await request('playlistItems', { ...itemParameters, ...tokenParameter })
        yield items
        if (seenTokens.size >= PAGES_MAX) throw new CommandError('YouTube answers too many pages of the playlist')
        if (nextPageToken !== undefined && seenTokens.has(nextPageToken)) throw new CommandError('YouTube repeats a page of the playlist')
        pageToken = nextPageToken
        seenTokens.add(pageToken ?? '')
      } while (pageToken !== undefined)
    },
    /** Returns the videos of at most 50 ids. Deleted and private videos are missing from the result. */
    readVideos: async (ids: readonly string[]): Promise<Video[]> =>
      (await request('videos', { part: 'snippet,contentDetails,status', id: ids.join(',') })).items ?? [],
    /** Returns the ids of the playlists with the uploads of channels, by channel id. Channels that do not exist are missing from the map. */
    readUploadPlaylists: async (channelIds: readonly string[]): Promise<Map<string, string>> => {
      const uploadsIdByChannelId = new Map<string, string>()
      for (const idBatch of splitIntoBatches(channelIds)) {
        const { items = [] } = await request('channels', {
          part: 'contentDetails',
          id: idBatch.join(','),
          maxResults: String(ITEMS_PER_PAGE),
        })
        for (const { id, contentDetails } of items) {
          const { uploads } = contentDetails.relatedPlaylists
          if (uploads !== undefined && uploads !== '') uploadsIdByChannelId.set(id, uploads)
        }
      }
      return uploadsIdByChannelId
    },
  }
}
export type YoutubeApi = ReturnType<typeof createYoutubeApi>
