import autocannon from 'autocannon'
import { foldText } from '../contract/text.ts'
import { benchSong } from './generate-catalogue.ts'

/** Returns search paths: 70 % with two prefixes of words of a title, 20 % with an artist, 10 % with three letters from within a word. */
export function createSearchPaths(songs: number, count: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    const song = benchSong(Math.floor((index * 7919) % songs))
    const words = foldText(song.title)
      .split(' ')
      .filter((word) => word.length >= 4)
    const [firstWord = 'neon', secondWord = ''] = words
    const queryKind = index % 10
    if (queryKind < 7)
      return `/api/song/search?s=${encodeURIComponent(`${firstWord.slice(0, 4 + (index % 2))} ${secondWord.slice(0, 4)}`.trim())}`
    if (queryKind < 9) return `/api/song/search?s=${encodeURIComponent(song.author_name)}&type=artist`
    return `/api/song/search?s=${encodeURIComponent(firstWord.slice(1, 4))}`
  })
}

export interface SearchFigures {
  p50Ms: number
  p99Ms: number
  perSecond: number
  failures: number
}

const CONNECTION_COUNT = 40
const QUERIES_EACH = 1000

/**
 * Sends concurrent requests to the search endpoint. Every connection sends a thousand different queries, so that the server's cache answers
 * few of them.
 */
export async function loadSearch(port: number, songs: number, seconds: number): Promise<SearchFigures> {
  const paths = createSearchPaths(songs, CONNECTION_COUNT * QUERIES_EACH)
  let connection = 0
  const loadTestResult = await autocannon({
    url: `http://127.0.0.1:${port}`,
    connections: CONNECTION_COUNT,
    duration: seconds,
    setupClient: (client) => {
      const from = (connection++ % CONNECTION_COUNT) * QUERIES_EACH
      client.setRequests(paths.slice(from, from + QUERIES_EACH).map((path) => ({ method: 'GET' as const, path })))
    },
  })
  return {
    p50Ms: loadTestResult.latency.p50,
    p99Ms: loadTestResult.latency.p99,
    perSecond: loadTestResult.requests.average,
    failures: loadTestResult.non2xx + loadTestResult.errors,
  }
}
