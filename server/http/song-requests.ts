import { LRUCache } from 'lru-cache'
import { parseVideoId } from '../../contract/youtube.ts'
import { createEntryLimit } from '../lru-limit.ts'
import { findNetwork } from './client-id.ts'

/** The maximum numbers of networks in memory, and of requests per network. The requests of one network cannot evict those of another. */
const NETWORKS_IN_MEMORY_MAX = 5000
const REQUESTS_PER_NETWORK_MAX = 50
/** Matches the addresses that request a single song: those of the API and that of the song page. */
const SONG_URL_PATTERN = /^\/(?:api\/song\/get|song)\?(?:.*?&)??s=([^&]+)/

const decodeParameter = (encodedText: string) => {
  try {
    return decodeURIComponent(encodedText)
  } catch {
    return encodedText
  }
}

/**
 * Remembers for a while which clients have requested which songs, because only these clients can report that a song does not play. Each process
 * remembers only its own requests.
 */
export function createSongRequestLog() {
  /** The ids of the songs that each network requested, latest last. */
  const songIdsByNetwork = new LRUCache<string, string[]>(createEntryLimit(NETWORKS_IN_MEMORY_MAX))
  function addSong(ipAddress: string, songId: string): void {
    const clientNetwork = findNetwork(ipAddress)
    const songIds = songIdsByNetwork.get(clientNetwork)
    if (songIds === undefined) songIdsByNetwork.set(clientNetwork, [songId])
    else if (songIds.at(-1) !== songId && songIds.push(songId) > REQUESTS_PER_NETWORK_MAX) songIds.shift()
  }
  return {
    add: addSong,
    /** Records a GET request if it is for a song. */
    note(request: { readonly ip: string }, url: string): void {
      const songParameter = SONG_URL_PATTERN.exec(url)?.[1]
      if (songParameter === undefined) return
      const songId = parseVideoId(songParameter.length === 11 ? songParameter : decodeParameter(songParameter))
      if (songId !== undefined) addSong(request.ip, songId)
    },
    has: (address: string, songId: string): boolean => songIdsByNetwork.get(findNetwork(address))?.includes(songId) ?? false,
  }
}
export type SongRequestLog = ReturnType<typeof createSongRequestLog>
