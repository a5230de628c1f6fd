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
