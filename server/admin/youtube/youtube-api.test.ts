import fc from 'fast-check'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createHashtags, findPlaylistIds } from './import-members.ts'
import { type SimulatedYoutube, startSimulatedYoutube } from './testing/youtube-peer.ts'
import { parseDurationSeconds } from './videos.ts'
import { createYoutubeApi, findNextPacificMidnightMs } from './youtube-api.ts'

let peer: SimulatedYoutube
let delaysMs: number[] = []
const createApi = (apiBase = peer.env.YOUTUBE_API_BASE) =>
  createYoutubeApi({ apiKey: peer.env.YOUTUBE_API_KEY, apiBase }, { delay: async (ms) => delaysMs.push(ms) })

beforeEach(async () => {
  delaysMs = []
  peer = await startSimulatedYoutube()
  peer.playlists.set('PL1', { title: 'One', videoIds: [] })
})
afterEach(() => peer.close())

it('a request is repeated with growing pauses after closed connections, truncated responses and temporary errors', async () => {
  peer.faults = [
    'closed',
    'cut',
    { status: 503, reason: 'backendError' },
    { status: 403, reason: 'rateLimitExceeded' },
    { status: 429, reason: 'rateLimitExceeded', retryAfter: '30' },
  ]
  expect(await createApi().readPlaylist('PL1')).toEqual({ title: 'One', description: '' })
  expect(delaysMs).toEqual([1000, 2000, 4000, 8000, 30_000])
})

it('during an outage the attempts end after the fifth pause', async () => {
  peer.faults = Array.from({ length: 9 }, () => ({ status: 500, reason: 'backendError' }))
  await expect(createApi().readPlaylist('PL1')).rejects.toThrow(/^YouTube cannot be reached \(500 backendError/)
  expect(delaysMs).toEqual([1000, 2000, 4000, 8000, 16_000])
  await expect(createApi('http://127.0.0.1:1').readPlaylist('PL1')).rejects.toMatchObject({ name: 'InterruptedError' })
})

it('a request that fails for a permanent reason is not repeated', async () => {
  for (const [statusCode, errorReason] of [
    [403, 'quotaExceeded'],
    [403, 'accessNotConfigured'],
    [403, 'playlistItemsNotAccessible'],
    [400, 'keyInvalid'],
  ] as const) {
    peer.faults = [{ status: statusCode, reason: errorReason }]
    await expect(createApi().readPlaylist('PL1')).rejects.toThrow(
      errorReason === 'quotaExceeded' ? 'quota' : `${statusCode} ${errorReason}`,
    )
  }
  expect(delaysMs).toEqual([])
  expect(peer.requestTexts).toHaveLength(4)
})

it('a response with an unknown structure is refused, and so is a list with endless pages', async () => {
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

it('the quota is renewed at midnight in California, also on days of 23 and 25 hours', () => {
  expect(new Date(findNextPacificMidnightMs(Date.parse('2026-11-24T04:00:00Z'))).toISOString()).toBe('2026-11-24T08:00:00.000Z')
  expect(new Date(findNextPacificMidnightMs(Date.parse('2026-07-01T08:00:00Z'))).toISOString()).toBe('2026-07-02T07:00:00.000Z')
  expect(new Date(findNextPacificMidnightMs(Date.parse('2026-03-08T09:00:00Z'))).toISOString()).toBe('2026-03-09T07:00:00.000Z')
  expect(new Date(findNextPacificMidnightMs(Date.parse('2026-11-01T08:00:00Z'))).toISOString()).toBe('2026-11-02T08:00:00.000Z')
  const anyTimeMs = fc.integer({ min: Date.parse('2024-01-01'), max: Date.parse('2034-01-01') })
  fc.assert(
    fc.property(anyTimeMs, (nowMs) => {
      const midnightMs = findNextPacificMidnightMs(nowMs)
      expect(new Date(midnightMs).toLocaleTimeString('en-GB', { timeZone: 'America/Los_Angeles' })).toBe('00:00:00')
      expect(midnightMs).toBeGreaterThan(nowMs)
      expect(midnightMs - nowMs).toBeLessThanOrEqual(25 * 3_600_000)
    }),
  )
})

it('an error message about the daily limit counts as a used-up quota, whatever its reason code is', async () => {
  const errorMessage = "Quota exceeded for quota metric 'Queries' and limit 'Queries per day' of service 'youtube.googleapis.com'."
  peer.faults = [{ status: 429, reason: 'rateLimitExceeded', message: errorMessage }]
  await expect(createApi().readPlaylist('PL1')).rejects.toThrow('The quota of the API key is used up')
  expect(delaysMs).toEqual([])
})

it('an error message that contains the API key is shown without the key', async () => {
  peer.faults = [{ status: 400, reason: 'badRequest', message: `The key ${peer.env.YOUTUBE_API_KEY} is wrong` }]
  await expect(createApi().readPlaylist('PL1')).rejects.toThrow('400 badRequest The key … is wrong')
  peer.faults = Array.from({ length: 9 }, () => ({ text: peer.env.YOUTUBE_API_KEY }))
  const error = await createApi().readPlaylist('PL1').catch(String)
  expect(error).toContain('YouTube cannot be reached')
  expect(error).not.toContain(peer.env.YOUTUBE_API_KEY)
})

it('a list whose pages never end is refused', { tags: ['long'] }, async () => {
  peer.playlists.set('PLendless', { title: 'Endless', videoIds: [] })
  peer.hasEndlessLists = true
  let pageCount = 0
  const readPages = async () => {
    for await (const _page of createApi().pagesOf('PLendless')) pageCount++
  }
  await expect(readPages()).rejects.toThrow('YouTube answers too many pages')
  expect(pageCount).toBe(2001)
})

it('durations in the format of ISO 8601 are read', () => {
  expect(['PT4M13S', 'PT1H', 'PT45S', 'P1DT2H3M4S', 'P0D', 'PT', '4:13', 'P99D', undefined].map(parseDurationSeconds)).toEqual([
    253,
    3600,
    45,
    93_784,
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
  ])
})

it('hashtags are matched to playlist ids as whole words, in upper or lower case; a repeated hashtag counts once', () => {
  const idByHashtag = createHashtags(['Hits', 'sad-songs', '-x_', 'PLab', 'plAB'])
  expect(findPlaylistIds('#HITS, #hits\n(#sad-songs) #hitsong hits', idByHashtag)).toEqual(['Hits', 'sad-songs'])
  expect(findPlaylistIds('#-X_. #hits/#sad-songs', idByHashtag)).toEqual(['-x_', 'Hits', 'sad-songs'])
  expect(findPlaylistIds('#plAB #PLab', idByHashtag)).toEqual(['plAB', 'PLab'])
  for (const descriptionText of [
    'nothing #',
    '#hits-2',
    '#hits_',
    '#hitsé',
    '#hits\u0301',
    'é#hits',
    'a#hits',
    'https://example.org/#hits http://a.b/x?y=#hits',
  ])
    expect([descriptionText, findPlaylistIds(descriptionText, idByHashtag)]).toEqual([descriptionText, []])
})
