import { LRUCache } from 'lru-cache'
import { computeEtag } from './etag.ts'
import type { CachedResponse } from './read-cache.ts'

/** Creates responses whose data are constant except for a few members. The constant part is serialized already. */
export interface LiveResponseTemplate {
  /**
   * Returns the response with the given members. The response must be sent immediately, because the next call changes the same object. The members
   * are also sent as headers, because a 304 has no body.
   */
  createResponse(members: LiveResponseMembers, headers: Readonly<Record<string, string>>): CachedResponse
}

/** Creates a template of responses with the constant members `unchangingData`, which are serialized only once. */
export function createLiveResponseTemplate(unchangingData: object): LiveResponseTemplate {
  const unchangingJson = JSON.stringify(unchangingData)
  const unchangingEtag = computeEtag(unchangingJson)
  // Node sends a buffer in less time than a string.
  const responseStart = Buffer.from(`{"code":200,"message":"OK","data":${unchangingJson.slice(0, -1)},`)
  let response: LiveResponse | undefined
  return {
    createResponse(liveMembers, headers) {
      response ??= new LiveResponse(responseStart, unchangingEtag, { ...headers })
      response.setMembers(liveMembers)
      return response
    },
  }
}

/** All responses about the same song reuse this object, because V8 runs the code that reads it faster than with a new object for each response. */
class LiveResponse implements CachedResponse {
  readonly status = 200
  readonly isCompressible = false
  #members: LiveResponseMembers | undefined
  #body: Buffer | undefined
  constructor(
    readonly start: Buffer,
    readonly etag: string,
    readonly headers: Record<string, string>,
  ) {}

  setMembers(members: LiveResponseMembers): void {
    const { server_time, listeners } = members
    // Nothing is rebuilt if the members are those of the previous response. On a busy server, most responses are sent in the same
    // millisecond as the previous one.
    if (this.#members?.server_time === server_time && this.#members.listeners === listeners) return
    this.#members = members
    this.#body = undefined
    this.headers['x-server-time'] = server_time
    if (listeners !== undefined) this.headers['x-listeners'] = String(listeners)
  }

  /** The body is built only when it is sent, because most responses are 304 without a body. */
  get body(): Buffer {
    this.#body ??= Buffer.concat([this.start, Buffer.from(`${JSON.stringify(this.#members).slice(1)}}`)])
    return this.#body
  }
}

/** The members of a live response that differ from request to request. */
export interface LiveResponseMembers {
  server_time: string
  listeners?: number
}

/** The constant part of a live response, together with its changing members. */
export class LiveAnswer<T extends LiveResponseMembers> {
  declare readonly data: T
  constructor(
    readonly live: LiveResponseTemplate,
    readonly members: LiveResponseMembers,
    /** Creates the answer to a repeated request with the same URL; `undefined` if creating it requires the database. */
    readonly repeat: () => LiveAnswer<T> | undefined,
  ) {}
}

/** Creates the response to a repeated request; `undefined` if the route has to create it. */
type RepeatResponse = () => CachedResponse | undefined

const MAX_CACHED_URLS = 100

/** Creates a cache that answers repeated requests for the same site and URL with current live data from memory, without calling the route. */
export function createLiveCache() {
  const repeatResponseByUrl = new LRUCache<string, RepeatResponse>({ max: MAX_CACHED_URLS })
  return {
    get: (key: string): CachedResponse | undefined => repeatResponseByUrl.get(key)?.(),
    set: (key: string, repeat: RepeatResponse) => repeatResponseByUrl.set(key, repeat),
  }
}
export type LiveCache = ReturnType<typeof createLiveCache>
