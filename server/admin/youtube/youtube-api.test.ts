import fc from 'fast-check'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { submittedPlaylists } from './import-members.ts'
import { nextPacificMidnightMs } from './pacific-midnight.ts'
import { startYoutubePeer, type YoutubePeer } from './testing/youtube-peer.ts'
import { durationSeconds } from './videos.ts'
import { createYoutubeApi } from './youtube-api.ts'

let peer: YoutubePeer
let delays: number[] = []
const createApi = (apiBase = peer.env.YOUTUBE_API_BASE) =>
  createYoutubeApi({ apiKey: peer.env.YOUTUBE_API_KEY, apiBase }, { delay: async (ms) => delays.push(ms) })

beforeEach(async () => {
  delays = []
  peer = await startYoutubePeer()
  peer.playlists.set('PL1', { title: 'One', videoIds: [] })
})
afterEach(() => peer.close())

it('a request is repeated with growing pauses after closed connections, cut answers, and errors that pass', async () => {
  peer.faults = [
    'closed',
    'cut',
    { status: 503, reason: 'backendError' },
    { status: 403, reason: 'rateLimitExceeded' },
    { status: 429, reason: 'rateLimitExceeded', retryAfter: '30' },
  ]
  expect(await createApi().readPlaylist('PL1')).toEqual({ title: 'One', description: '' })
  expect(delays).toEqual([1000, 2000, 4000, 8000, 30_000])
})

it('an outage ends the attempts after the fifth pause', async () => {
  peer.faults = Array.from({ length: 9 }, () => ({ status: 500, reason: 'backendError' }))
  await expect(createApi().readPlaylist('PL1')).rejects.toThrow(/^YouTube cannot be reached \(500 backendError/)
  expect(delays).toEqual([1000, 2000, 4000, 8000, 16_000])
  await expect(createApi('http://127.0.0.1:1').readPlaylist('PL1')).rejects.toMatchObject({ name: 'InterruptedError' })
})

it('what does not pass is not repeated', async () => {
  for (const [status, reason] of [
    [403, 'quotaExceeded'],
    [403, 'accessNotConfigured'],
    [403, 'playlistItemsNotAccessible'],
    [400, 'keyInvalid'],
  ] as const) {
    peer.faults = [{ status, reason }]
    await expect(createApi().readPlaylist('PL1')).rejects.toThrow(reason === 'quotaExceeded' ? 'quota' : `${status} ${reason}`)
  }
  expect(delays).toEqual([])
  expect(peer.requests).toHaveLength(4)
})

it('an answer of an unknown form, or pages without an end, are refused', async () => {
  for (const body of [null, [], { items: [{ snippet: {} }] }, { items: 'many' }]) {
    peer.faults = [{ body }]
    await expect(createApi().readPlaylist('PL1')).rejects.toThrow("YouTube's answer to playlists has an unknown form")
  }
  peer.faults = Array.from({ length: 3 }, () => ({ body: { items: [], nextPageToken: 'x' } }))
  const readPages = async () => {
    for await (const page of createApi().pagesOf('PL1')) expect(page).toEqual([])
  }
  await expect(readPages()).rejects.toThrow('YouTube repeats a page')
})

it('the quota is renewed at midnight in California, on days with 23 and 25 hours too', () => {
  expect(new Date(nextPacificMidnightMs(Date.parse('2026-11-24T04:00:00Z'))).toISOString()).toBe('2026-11-24T08:00:00.000Z')
  expect(new Date(nextPacificMidnightMs(Date.parse('2026-07-01T08:00:00Z'))).toISOString()).toBe('2026-07-02T07:00:00.000Z')
  expect(new Date(nextPacificMidnightMs(Date.parse('2026-03-08T09:00:00Z'))).toISOString()).toBe('2026-03-09T07:00:00.000Z')
  expect(new Date(nextPacificMidnightMs(Date.parse('2026-11-01T08:00:00Z'))).toISOString()).toBe('2026-11-02T08:00:00.000Z')
  const instant = fc.integer({ min: Date.parse('2024-01-01'), max: Date.parse('2034-01-01') })
  fc.assert(
    fc.property(instant, (nowMs) => {
      const midnightMs = nextPacificMidnightMs(nowMs)
      expect(new Date(midnightMs).toLocaleTimeString('en-GB', { timeZone: 'America/Los_Angeles' })).toBe('00:00:00')
      expect(midnightMs).toBeGreaterThan(nowMs)
      expect(midnightMs - nowMs).toBeLessThanOrEqual(25 * 3_600_000)
    }),
  )
})

it('durations are read as ISO 8601 writes them', () => {
  expect(['PT4M13S', 'PT1H', 'PT45S', 'P1DT2H3M4S', 'P0D', 'PT', '4:13', undefined].map(durationSeconds)).toEqual([
    253,
    3600,
    45,
    93_784,
    undefined,
    undefined,
    undefined,
    undefined,
  ])
})

it('hashtags name playlists in any case, each once, as whole words', () => {
  const playlistIds = new Map([
    ['hits', 'Hits'],
    ['sad-songs', 'sad-songs'],
  ])
  expect(submittedPlaylists('#HITS, #hits\n(#sad-songs) #hitsong hits', playlistIds)).toEqual(['Hits', 'sad-songs'])
  expect(submittedPlaylists('nothing #', playlistIds)).toEqual([])
})
