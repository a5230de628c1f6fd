import autocannon from 'autocannon'
import { foldText } from '../contract/fold-text.ts'
import { createBenchSong } from './generate-catalogue.ts'

/** Returns search paths: 70 % with two prefixes of words of a title, 20 % with an artist, 10 % with three letters from within a word. */
export function createSearchPaths(songCount: number, pathCount: number): string[] {
  return Array.from({ length: pathCount }, (_, index) => {
    const song = createBenchSong(Math.floor((index * 7919) % songCount))
    const foldedTitle = foldText(song.title)
      .split(' ')
      .filter((word) => word.length >= 4)
    const [firstWord = 'neon', secondWord = ''] = foldedTitle
    const queryKind = index % 10
    if (queryKind < 7)
      return `/api/song/search?s=${encodeURIComponent(`${firstWord.slice(0, 4 + (index % 2))} ${secondWord.slice(0, 4)}`.trim())}`
    if (queryKind < 9) return `/api/song/search?s=${encodeURIComponent(song.author_name)}&type=artist`
    return `/api/song/search?s=${encodeURIComponent(firstWord.slice(1, 4))}`
  })
}

/** Returns paths of suggestions, as pauses of typing request them: the beginning of a title, of its second word, or of an artist. */
export function createSuggestPaths(songCount: number, pathCount: number): string[] {
  return Array.from({ length: pathCount }, (_, index) => {
    const song = createBenchSong(Math.floor((index * 7919) % songCount))
    const foldedTitle = foldText(song.title)
    const typedLength = 2 + (index % 11)
    const queryKind = index % 10
    const typedText = queryKind < 6 ? foldedTitle : queryKind < 8 ? foldedTitle.slice(foldedTitle.indexOf(' ') + 1) : song.author_name
    return `/api/search/suggest?s=${encodeURIComponent(typedText.slice(0, typedLength).trim())}`
  })
}

export interface SearchFigures {
  p50Ms: number
  p99Ms: number
  requestsPerSecond: number
  failureCount: number
}

const CONNECTION_COUNT = 40
const QUERIES_PER_CONNECTION = 1000

/** Sends concurrent requests for search results or suggestions. Every connection sends a thousand queries that differ from those of the others. */
export async function measureSearchUnderLoad(
  port: number,
  songCount: number,
  durationS: number,
  createPaths = createSearchPaths,
): Promise<SearchFigures> {
  const urlPaths = createPaths(songCount, CONNECTION_COUNT * QUERIES_PER_CONNECTION)
  let connectionIndex = 0
  const loadTestResult = await autocannon({
    url: `http://127.0.0.1:${port}`,
    connections: CONNECTION_COUNT,
    duration: durationS,
    setupClient: (client) => {
      const from = (connectionIndex++ % CONNECTION_COUNT) * QUERIES_PER_CONNECTION
      client.setRequests(urlPaths.slice(from, from + QUERIES_PER_CONNECTION).map((path) => ({ method: 'GET' as const, path })))
    },
  })
  return {
    p50Ms: loadTestResult.latency.p50,
    p99Ms: loadTestResult.latency.p99,
    requestsPerSecond: loadTestResult.requests.average,
    failureCount: loadTestResult.non2xx + loadTestResult.errors,
  }
}
