import { LRUCache } from 'lru-cache'
import { parseVideoId } from '../../contract/youtube.ts'
import { networkOf } from './client-id.ts'

/** The limits of networks in memory, and of the latest requests of each, so that no network can evict those of others. */
const NETWORKS_MAX = 5000
const REQUESTS_PER_NETWORK = 50
/** The addresses at which a client asks for one song: of the API and of the page. */
const SONG_URL = /^\/(?:api\/song\/get|song)\?(?:.*?&)??s=([^&]+)/

const decode = (text: string) => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/**
 * Remembers for a while which clients have asked for which songs: only they can report that a song does not play. A process remembers its own
 * requests.
 */
export function createSongRequests() {
  /** The ids of the songs that each network asked for, the latest last. */
  const songIdsByNetwork = new LRUCache<string, string[]>({ max: NETWORKS_MAX })
  function add(address: string, songId: string): void {
    const network = networkOf(address)
    const songIds = songIdsByNetwork.get(network)
    if (songIds === undefined) songIdsByNetwork.set(network, [songId])
    else if (songIds.at(-1) !== songId && songIds.push(songId) > REQUESTS_PER_NETWORK) songIds.shift()
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
    has: (address: string, songId: string): boolean => songIdsByNetwork.get(networkOf(address))?.includes(songId) ?? false,
  }
}
export type SongRequests = ReturnType<typeof createSongRequests>
