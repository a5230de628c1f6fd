import { LRUCache } from 'lru-cache'
import { type CachedResponse, etagOf } from './read-cache.ts'

/** The constant part of a response that is sent many times. */
export interface LiveData {
  /**
   * Returns the response with the changing members. It must be sent at once: the next call changes it. The members are in headers too, because a 304
   * has no body.
   */
  responseWith(members: LiveMembers, headers: Record<string, string>): CachedResponse
}

/** Serializes the constant part once. The changing members are added to each response. */
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

/** One object serves all responses with a song: V8 runs code that reads it faster than with an object for each response. */
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
    // On a busy server, most responses have the same millisecond as the one before.
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

/** The members of a response that change with each request. */
export interface LiveMembers {
  server_time: string
  listeners?: number
}

/** The constant part of an answer, and its changing members. */
export class LiveAnswer<T extends LiveMembers> {
  declare readonly data: T
  constructor(
    readonly live: LiveData,
    readonly members: LiveMembers,
    /** Returns the answer to another request with the same URL; `undefined` if that needs the database. */
    readonly repeat: () => LiveAnswer<T> | undefined,
  ) {}
}

/** Returns the response to a repeated request; `undefined` if its route has to answer. */
type Repeat = () => CachedResponse | undefined

const MAX_URLS = 100

/** Answers repeated requests for live data from memory, by site and URL, before they reach their route. */
export function createLiveCache() {
  const repeats = new LRUCache<string, Repeat>({ max: MAX_URLS })
  return {
    get: (key: string): CachedResponse | undefined => repeats.get(key)?.(),
    set: (key: string, repeat: Repeat) => repeats.set(key, repeat),
  }
}
export type LiveCache = ReturnType<typeof createLiveCache>
