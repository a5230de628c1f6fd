import autocannon from 'autocannon'
import { foldText } from '../contract/text.ts'
import { benchSong } from './generate-catalogue.ts'

/** What people type: 70 % two beginnings of a title's words (4 letters or more), 20 % an artist, 10 % three letters from inside a word. */
export function searchMix(songs: number, count: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    const song = benchSong(Math.floor((index * 7919) % songs))
    const words = foldText(song.title)
      .split(' ')
      .filter((word) => word.length >= 4)
    const [one = 'neon', two = ''] = words
    const kind = index % 10
    if (kind < 7) return `/api/song/search?s=${encodeURIComponent(`${one.slice(0, 4 + (index % 2))} ${two.slice(0, 4)}`.trim())}`
    if (kind < 9) return `/api/song/search?s=${encodeURIComponent(song.author_name)}&type=artist`
    return `/api/song/search?s=${encodeURIComponent(one.slice(1, 4))}`
  })
}

export interface SearchFigures {
  p50Ms: number
  p99Ms: number
  perSecond: number
  failures: number
}

const CONNECTIONS = 40
const QUERIES_EACH = 1000

/** Every connection has a thousand queries of its own, so that the server's cache of answers serves few of them. */
export async function loadSearch(port: number, songs: number, seconds: number): Promise<SearchFigures> {
  const paths = searchMix(songs, CONNECTIONS * QUERIES_EACH)
  let connection = 0
  const result = await autocannon({
    url: `http://127.0.0.1:${port}`,
    connections: CONNECTIONS,
    duration: seconds,
    setupClient: (client) => {
      const from = (connection++ % CONNECTIONS) * QUERIES_EACH
      client.setRequests(paths.slice(from, from + QUERIES_EACH).map((path) => ({ method: 'GET' as const, path })))
    },
  })
  return {
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    perSecond: result.requests.average,
    failures: result.non2xx + result.errors,
  }
}
