import { ApiError } from '../../contract/errors.ts'
import { parseVideoId } from '../../contract/youtube.ts'
import type { RegisterEndpoint } from '../http/endpoint.ts'
import type { SiteSettings } from '../services/site-settings.ts'
import type { Storage } from '../storage/storage.ts'

/** What the routes of the endpoint table work with. */
export interface RouteContext {
  endpoint: RegisterEndpoint
  storage: Storage
  site: SiteSettings
  /** Epoch milliseconds. */
  nowMs: () => number
  contactPerHour: number
}

/** The most rows that a list gives. */
export const LIST_MAX = 10_000

export const pageOf = (input: { limit?: number | undefined; offset?: number | undefined }, limit = LIST_MAX) => ({
  limit: input.limit ?? limit,
  offset: input.offset ?? 0,
})

export const noSuchSong = () => new ApiError('not-found', 'There is no such song.')
export const noSongToChoose = () => new ApiError('not-found', 'There is no song to choose from.')

/** The id in an id or a URL. @throws ApiError 404 */
export function songIdOf(s: string): string {
  const id = parseVideoId(s)
  if (id === undefined) throw noSuchSong()
  return id
}

/** How long what a device has to tell may wait there. */
const WAITED_MAX_MS = 365 * 24 * 3_600_000

/** When something happened, by a device whose clock may be anything: now, where what it says is to come, over a year ago, or no time. */
export function saidAtMs(said: string | undefined, nowMs: number): number {
  const ms = said === undefined ? nowMs : Date.parse(said)
  return ms > nowMs - WAITED_MAX_MS && ms < nowMs ? ms : nowMs
}
