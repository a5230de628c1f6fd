import { LRUCache } from 'lru-cache'
import { type CachedResponse, etagOf } from './read-cache.ts'

/** Data of a response that stay the same for many answers. */
export interface LiveData {
  /** Returns the response at a time. What changes stands in headers too, because a 304 has no body. */
  responseWith(members: LiveMembers, headers: Record<string, string>): CachedResponse
}

/** Prepares data for many answers. The members that change are added to each of them. */
export function createLiveData(data: object): LiveData {
  const json = JSON.stringify(data)
  const etag = etagOf(json)
  // Node sends a buffer in less time than a string.
  const start = Buffer.from(`{"code":200,"message":"OK","data":${json.slice(0, -1)},`)
  let last: { members: LiveMembers; response: CachedResponse } | undefined
  return {
    responseWith(members, headers) {
      // Most answers of a busy server are those of the same millisecond.
      if (last?.members.server_time !== members.server_time || last.members.listeners !== members.listeners) {
        const { server_time, listeners } = members
        const changing = { 'x-server-time': server_time, ...(listeners !== undefined && { 'x-listeners': String(listeners) }) }
        let body: Buffer | undefined
        const response = {
          status: 200,
          headers: { ...headers, etag, ...changing },
          // Most answers are 304, without a body.
          get body() {
            body ??= Buffer.concat([start, Buffer.from(`${JSON.stringify(members).slice(1)}}`)])
            return body
          },
        }
        last = { members, response }
      }
      return last.response
    },
  }
}

/** The members of live data that change from answer to answer. */
export interface LiveMembers {
  server_time: string
  listeners?: number
}

/** Data that stay the same for many answers, and the members of this one that change. */
export class LiveAnswer<T extends LiveMembers> {
  declare readonly data: T
  constructor(
    readonly live: LiveData,
    readonly members: LiveMembers,
    /** Returns the answer to another request with the same URL; `undefined` if that needs more than memory. */
    readonly repeat: () => LiveAnswer<T> | undefined,
  ) {}
}

/** Returns the response to a repeated request; `undefined` if its route has to answer. */
type Repeat = () => CachedResponse | undefined

const MAX_URLS = 100

/** What answers repeated requests for live data before they reach their route, by site and URL. */
export function createLiveCache() {
  const repeats = new LRUCache<string, Repeat>({ max: MAX_URLS })
  return {
    get: (key: string): CachedResponse | undefined => repeats.get(key)?.(),
    set: (key: string, repeat: Repeat) => repeats.set(key, repeat),
  }
}
export type LiveCache = ReturnType<typeof createLiveCache>
