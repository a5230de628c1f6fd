import { createHash } from 'node:crypto'

/** Data of a response that stay the same for many answers. */
export interface LiveData {
  /** The JSON of the data as far as it stays the same: an object, without its closing brace. */
  readonly jsonStart: string
  /** The ETag of what stays the same. */
  readonly etag: string
}

/** Prepares data for many answers. The members that change are added to each of them. */
export function createLiveData(data: object): LiveData {
  const json = JSON.stringify(data)
  return { jsonStart: json.slice(0, -1), etag: `W/"${createHash('sha256').update(json).digest('base64url').slice(0, 22)}"` }
}

/** Data that stay the same for many answers, the time of this one, and the number of listeners if it is shown. */
export class LiveAnswer<T extends { server_time: string; listeners?: number }> {
  declare readonly data: T
  constructor(
    readonly live: LiveData,
    readonly serverTime: string,
    readonly listeners: number | undefined,
  ) {}

  /** Returns the response's `data` as JSON. */
  toJson(): string {
    const listeners = this.listeners === undefined ? '' : `,"listeners":${this.listeners}`
    return `${this.live.jsonStart},"server_time":"${this.serverTime}"${listeners}}`
  }
}
