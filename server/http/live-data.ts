import { createHash } from 'node:crypto'

/** Data of a response that differ from one answer to the next only in the server's time. */
export interface LiveData {
  /** The JSON of the data as far as it stays the same: an object, without its closing brace. */
  readonly jsonStart: string
  /** The ETag of what stays the same. */
  readonly etag: string
}

/** Prepares data for many answers. The member `server_time` is added to each of them. */
export function createLiveData(data: object): LiveData {
  const json = JSON.stringify(data)
  return { jsonStart: json.slice(0, -1), etag: `W/"${createHash('sha256').update(json).digest('base64url').slice(0, 22)}"` }
}

/** Data that stay the same for many answers, and the time of this one. */
export class LiveAnswer<T extends { server_time: string }> {
  declare readonly data: T
  constructor(
    readonly live: LiveData,
    readonly serverTime: string,
  ) {}

  /** Returns the response's `data` as JSON. */
  toJson(): string {
    return `${this.live.jsonStart},"server_time":"${this.serverTime}"}`
  }
}
