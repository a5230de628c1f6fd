import { LRUCache } from 'lru-cache'
import { type CachedResponse, etagOf } from './read-cache.ts'

/** Data of a response that stay the same for many answers. */
export interface LiveData {
  /** Returns the response with the members that change, for sending at once: the next call changes it. What changes stands in headers too, because a 304 has no body. */
  responseWith(members: LiveMembers, headers: Record<string, string>): CachedResponse
}

/** Prepares data for many answers. The members that change are added to each of them. */
export function createLiveData(data: object): LiveData {
  const json = JSON.stringify(data)
  const etag = etagOf(json)
  // Node sends a buffer in less time than a string.
  const start = Buffer.from(`{"code":200,"message":"OK","data":${json.slice(0, -1)},`)
  let response: LiveResponse | undefined
  return {
    responseWith(members, headers) {
      response ??= new LiveResponse(start, { ...headers, etag })
      response.setMembers(members)
      return response
    },
  }
}

/** One object serves all answers of a song: V8 runs what reads it faster than with an object for each answer. */
class LiveResponse implements CachedResponse {
  readonly status = 200
  #members: LiveMembers | undefined
  #body: Buffer | undefined
  constructor(
    readonly start: Buffer,
    readonly headers: Record<string, string>,
  ) {}

  setMembers(members: LiveMembers): void {
    const { server_time, listeners } = members
    // Most answers of a busy server are those of the same millisecond.
    if (this.#members?.server_time === server_time && this.#members.listeners === listeners) return
    this.#members = members
    this.#body = undefined
    this.headers['x-server-time'] = server_time
    if (listeners !== undefined) this.headers['x-listeners'] = String(listeners)
  }

  /** Built when it is sent: most answers are 304, without a body. */
  get body(): Buffer {
    this.#body ??= Buffer.concat([this.start, Buffer.from(`${JSON.stringify(this.#members).slice(1)}}`)])
    return this.#body
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
