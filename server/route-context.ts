import { ApiError } from '../contract/errors.ts'
import { parseVideoId } from '../contract/youtube.ts'
import { DAY_MS } from './durations.ts'
import type { RegisterEndpoint } from './http/endpoint.ts'
import type { SiteSettings } from './site/settings.ts'
import type { Storage } from './storage/open.ts'

/** Dependencies of the routes of the endpoint table. */
export interface RouteContext {
  endpoint: RegisterEndpoint
  storage: Storage
  site: SiteSettings
  nowMs: () => number
  contactPerHour: number
  /** Returns the id under which a client's plays and reports are stored: the same within a UTC day. */
  dailyClientId: (address: string) => Promise<string>
}

/** A limit that exceeds the length of any list. */
const ALL_ROWS_LIMIT = 1_000_000_000

/**
 * Returns the range of a list's rows that a request asks for. If the request has no `limit`, the range has `defaultLimit` rows, or all rows if that
 * is undefined.
 */
export const readPagination = (pageInput: { limit?: number | undefined; offset?: number | undefined }, defaultLimit = ALL_ROWS_LIMIT) => ({
  limit: pageInput.limit ?? defaultLimit,
  offset: pageInput.offset ?? 0,
})

export const createNoSuchSongError = () => new ApiError('not-found', 'There is no such song.')
export const createNoRandomSongError = () => new ApiError('not-found', 'There is no song to choose from.')

/** Returns the video id from a text that is the id itself or a URL. @throws ApiError 404 if the text contains no video id */
export function parseSongId(songText: string): string {
  const id = parseVideoId(songText)
  if (id === undefined) throw createNoSuchSongError()
  return id
}

/** The maximum age of a client's timestamp, because a change may wait this long on an offline device. */
const CLIENT_TIME_MAX_AGE_MS = 365 * DAY_MS

/**
 * Returns a client's timestamp in epoch milliseconds. Returns `nowMs` if the timestamp is missing, invalid, in the future or over a
 * year old, since a device's clock may be wrong.
 */
export function clampClientTime(timestampText: string | undefined, nowMs: number): number {
  const ms = timestampText === undefined ? nowMs : Date.parse(timestampText)
  return ms > nowMs - CLIENT_TIME_MAX_AGE_MS && ms < nowMs ? ms : nowMs
}
