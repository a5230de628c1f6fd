import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'

/** Data of a response that stay the same for many answers. */
export interface LiveData {
  /** The ETag of what stays the same. */
  readonly etag: string
  /** Returns the body of a response. `changing` is the JSON of the members that change, without braces. */
  bodyWith(changing: string): Buffer
}

/** Prepares data for many answers. The members that change are added to each of them. */
export function createLiveData(data: object): LiveData {
  const json = JSON.stringify(data)
  // Node sends a buffer in less time than a string. Most answers of a busy server are those of the same millisecond.
  const start = Buffer.from(`{"code":200,"message":"OK","data":${json.slice(0, -1)},`)
  let last = { changing: '', body: start }
  return {
    etag: `W/"${createHash('sha256').update(json).digest('base64url').slice(0, 22)}"`,
    bodyWith(changing) {
      if (changing !== last.changing) last = { changing, body: Buffer.concat([start, Buffer.from(`${changing}}}`)]) }
      return last.body
    },
  }
}

/** The members of live data that change from answer to answer. */
export interface LiveMembers {
  server_time: string
  listeners?: number
}

/** Data that stay the same for many answers, the time of this one, and the number of listeners if it is shown. */
export class LiveAnswer<T extends LiveMembers> {
  declare readonly data: T
  constructor(
    readonly live: LiveData,
    readonly serverTime: string,
    readonly listeners: number | undefined,
    /** Returns the answer to another request with the same URL; `undefined` if that needs more than memory. */
    readonly repeat: () => LiveAnswer<T> | undefined,
  ) {}

  /** Returns the response's body. */
  toBody(): Buffer {
    const listeners = this.listeners === undefined ? '' : `,"listeners":${this.listeners}`
    return this.live.bodyWith(`"server_time":"${this.serverTime}"${listeners}`)
  }
}

/** Answers a request; returns false if it cannot. */
type Answer = (request: FastifyRequest, reply: FastifyReply) => boolean

const MAX_URLS = 100

/** What answers requests for live data before they reach their route, by site and URL. */
export function createLiveCache() {
  const answers = new LRUCache<string, Answer>({ max: MAX_URLS })
  return {
    /** Answers a request; returns false if its route has to. */
    answer: (request: FastifyRequest, reply: FastifyReply): boolean =>
      answers.get(request.site.key + request.raw.url)?.(request, reply) === true,
    set: (request: FastifyRequest, answer: Answer) => answers.set(request.site.key + request.raw.url, answer),
  }
}
export type LiveCache = ReturnType<typeof createLiveCache>
