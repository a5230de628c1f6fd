import { parseVideoId } from '../../contract/youtube.ts'

/** The number of requests in memory: at least this many, at most twice as many. */
const REQUESTS_MAX = 20_000
/** The addresses at which a client asks for one song: of the API and of the page. */
const SONG_URL = /^\/(?:api\/song\/get|song)\?(?:.*&)?s=([^&]+)/

const decode = (text: string) => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Remembers for a while which clients have asked for which songs: only they can say that a song does not play. A process remembers its own requests. */
export function createSongRequests() {
  let latest = new Set<string>()
  let earlier = new Set<string>()
  const add = (address: string, songId: string) => {
    if (latest.size >= REQUESTS_MAX) {
      earlier = latest
      latest = new Set()
    }
    latest.add(`${songId} ${address}`)
  }
  return {
    add,
    /** Notes a GET request if it asks for a song. */
    note(request: { readonly ip: string }, url: string): void {
      const parameter = SONG_URL.exec(url)?.[1]
      if (parameter === undefined) return
      const songId = parseVideoId(parameter.length === 11 ? parameter : decode(parameter))
      if (songId !== undefined) add(request.ip, songId)
    },
    has: (address: string, songId: string): boolean => {
      const key = `${songId} ${address}`
      return latest.has(key) || earlier.has(key)
    },
  }
}
export type SongRequests = ReturnType<typeof createSongRequests>
