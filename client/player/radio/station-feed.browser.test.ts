import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { findLeaks } from '../../testing/leaks.ts'
import { createStationFeed, type StationFeedDeps } from './station-feed.ts'
import { advanceTime as advance } from './testing/fake-time.ts'
import { createStationServer } from './testing/station-server.ts'

const MINUTE_MS = 60_000
/** The lengths of songs in seconds. Together they last for hours. */
const songDurationsS = Array.from({ length: 200 }, () => 100)

const closeFunctions: (() => void)[] = []
beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  for (const close of closeFunctions.splice(0)) close()
  // The tests restore real timers before the mocks: restoring a mocked timer while timers are fake would remove that timer from the page.
  vi.useRealTimers()
  vi.restoreAllMocks()
})

function openFeed(deps: Partial<StationFeedDeps> = {}) {
  const feed = createStationFeed({ apiBaseUrl: '/api', station: 'main', ...deps })
  closeFunctions.push(feed.close)
  return feed
}

const readCurrentVideoId = (feed: ReturnType<typeof openFeed>) => feed.getSnapshot().airings?.current.youtube_id
const setVisibility = (state: DocumentVisibilityState) => {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state)
  document.dispatchEvent(new Event('visibilitychange'))
}

test('the feed polls every 5 s, changes the song at its scheduled time, and requests the next song only after that', async () => {
  const server = createStationServer(songDurationsS)
  const stationFeed = openFeed({ fetch: server.connect(250, 50) })
  await advance(400)
  expect(readCurrentVideoId(stationFeed)).toBe('song_000000')
  await advance(50_000)
  expect(server.countRequests('/radio/get')).toBe(10)
  // The estimate of the server's time is wrong by half of the difference between the latencies of request and response.
  await advance(49_300)
  expect(readCurrentVideoId(stationFeed)).toBe('song_000000')
  await advance(600)
  expect(readCurrentVideoId(stationFeed)).toBe('song_000001')
  await advance(10 * MINUTE_MS, 250)
  const changeRequests = server.requests.filter(({ path }) => path === '/radio/setnewsong')
  // A poll at the end of a song can already return the next song.
  expect(changeRequests.length).toBeGreaterThan(2)
  for (const { query, atMs } of changeRequests) {
    const ended = server.schedule.find(({ youtube_id }) => youtube_id === query.s)
    expect(atMs).toBeGreaterThanOrEqual(Date.parse(ended?.start_time ?? '') + 100_000)
  }
})

test("changing the device’s clock does not change the estimate of the server's time", async () => {
  const server = createStationServer(songDurationsS)
  const stationFeed = openFeed({ fetch: server.connect(10, 10) })
  await advance(12_000)
  const readErrorMs = () => Math.abs((stationFeed.nowMs() ?? 0) - server.nowMs())
  for (const clockChangeMs of [10 * MINUTE_MS, -20 * MINUTE_MS]) {
    vi.setSystemTime(Date.now() + clockChangeMs)
    expect(readErrorMs()).toBeLessThanOrEqual(11)
    await advance(3_000)
    expect(readErrorMs()).toBeLessThanOrEqual(11)
    expect(readCurrentVideoId(stationFeed)).toBe('song_000000')
  }
})

test("within a second after the device has slept, the feed knows the server's time again", async () => {
  const server = createStationServer(songDurationsS)
  const stationFeed = openFeed({ fetch: server.connect() })
  await advance(6_000)
  vi.setSystemTime(Date.now() + 30 * MINUTE_MS)
  server.sleptMs += 30 * MINUTE_MS
  await advance(1_000)
  expect(Math.abs((stationFeed.nowMs() ?? 0) - server.nowMs())).toBeLessThanOrEqual(2)
  expect(readCurrentVideoId(stationFeed)).toBe('song_000018')
})

test('without responses, polls become rarer and the known songs are repeated; after a response, polls are sent every 5 s again', async () => {
  const server = createStationServer(songDurationsS)
  const stationFeed = openFeed({ fetch: server.connect(50, 50) })
  await advance(10_000)
  server.mode = 'silent'
  const requestCountBefore = server.requests.length
  await advance(300_000, 100)
  expect(stationFeed.getSnapshot().serverUnreachable).toBe(true)
  expect(readCurrentVideoId(stationFeed)).toBe('song_000003')
  expect(server.requests.length - requestCountBefore).toBeLessThan(22)
  // The known songs end 600 s after the start of the test's schedule.
  await advance(300_000, 100)
  expect(readCurrentVideoId(stationFeed)).toBe('song_000000')
  server.mode = 'normal'
  await advance(5_200)
  expect(stationFeed.getSnapshot().serverUnreachable).toBe(false)
  expect(readCurrentVideoId(stationFeed)).toBe('song_000006')
  const requestsAfter = server.requests.length
  await advance(51_000)
  expect(server.requests.length - requestsAfter).toBe(10)
})

test('a response without a schedule counts as a failure: the music and the polls continue', async () => {
  const server = createStationServer(songDurationsS)
  const connection = server.connect()
  const song = server.schedule[0]
  const songWithoutDuration = { ...song, duration: 0 }
  const brokenResponses: unknown[] = [
    null,
    {},
    { ...song, upcoming: [], next: song },
    { ...songWithoutDuration, next: songWithoutDuration, upcoming: [], history: [] },
    { ...song, start_time: 'soon', next: song, upcoming: [], history: [] },
    { ...song, next: song, upcoming: [{ ...song, duration: null }], history: [] },
  ]
  let brokenResponse: unknown
  const stationFeed = openFeed({
    fetch: async (...request) =>
      brokenResponse === undefined ? connection(...request) : Response.json({ code: 200, message: 'OK', data: brokenResponse }),
  })
  await advance(1)
  for (const answer of brokenResponses) {
    brokenResponse = answer
    await advance(30_000, 250)
    expect(stationFeed.getSnapshot()).toMatchObject({ serverUnreachable: true, airings: {} })
  }
  expect(readCurrentVideoId(stationFeed)).toBe('song_000001')
  brokenResponse = undefined
  await advance(20_000, 250)
  expect(stationFeed.getSnapshot()).toMatchObject({ serverUnreachable: false, airings: { current: { youtube_id: 'song_000002' } } })
})

test('a response that takes longer than 5 s is not given up', async () => {
  const server = createStationServer(songDurationsS)
  const stationFeed = openFeed({ fetch: server.connect(3_000, 4_000) })
  await advance(6_900)
  expect(server.requests).toHaveLength(1)
  await advance(200)
  expect(stationFeed.getSnapshot()).toMatchObject({ serverUnreachable: false, airings: { current: { youtube_id: 'song_000000' } } })
  expect(Math.abs((stationFeed.nowMs() ?? 0) - server.nowMs())).toBeLessThanOrEqual(3_501)
})

test('the state of the feed shows that a radio has no songs; the first song plays when the server has songs', async () => {
  const server = createStationServer(songDurationsS)
  server.mode = 'empty'
  const stationFeed = openFeed({ fetch: server.connect() })
  await advance(1)
  expect(stationFeed.getSnapshot()).toMatchObject({ answer: undefined, airings: undefined, hasNoSongs: true, serverUnreachable: false })
  server.mode = 'normal'
  await advance(5_000)
  expect(stationFeed.getSnapshot()).toMatchObject({ hasNoSongs: false, airings: { current: { youtube_id: 'song_000000' } } })
  server.mode = 'empty'
  await advance(5_000)
  expect(stationFeed.getSnapshot()).toMatchObject({ hasNoSongs: true, airings: undefined })
})

test('on a hidden page the feed polls only while the radio plays, and immediately when the page is shown again', async () => {
  const server = createStationServer(songDurationsS)
  const stationFeed = openFeed({ fetch: server.connect() })
  await advance(6_000)
  setVisibility('hidden')
  const requestCountWhenHidden = server.requests.length
  await advance(10 * MINUTE_MS, 250)
  expect(server.requests).toHaveLength(requestCountWhenHidden)
  stationFeed.setPlaying(true)
  await advance(20_100)
  expect([...new Set(server.requests.map(({ query }) => query.listening))], 'counted only while it plays').toEqual(['false', undefined])
  expect(stationFeed.getSnapshot().listeners).toBe(3)
  expect(server.requests).toHaveLength(requestCountWhenHidden + 5)
  stationFeed.setPlaying(false)
  await advance(MINUTE_MS)
  expect(server.requests).toHaveLength(requestCountWhenHidden + 5)
  setVisibility('visible')
  await advance(1)
  expect(server.requests).toHaveLength(requestCountWhenHidden + 6)
})

test('choosing another station polls immediately, and a late response for the previous station is dropped', async () => {
  const server = createStationServer(songDurationsS)
  const stationFeed = openFeed({ fetch: server.connect(100, 100) })
  await advance(150)
  stationFeed.setStation('newcomers')
  await advance(100)
  expect(stationFeed.getSnapshot().airings).toBeUndefined()
  await advance(200)
  expect(stationFeed.getSnapshot().playsMain).toBe(true)
  expect(server.requests.map(({ query }) => query.newcomers_id)).toEqual([undefined, 'all'])
})

test('closing a feed releases all resources', async () => {
  vi.useRealTimers()
  const server = createStationServer(songDurationsS)
  const leaks = await findLeaks(async () => {
    const stationFeed = createStationFeed({ apiBaseUrl: '/api', station: 'main', fetch: server.connect() })
    await vi.waitFor(() => expect(stationFeed.getSnapshot().airings).toBeDefined())
    stationFeed.setPlaying(true)
    stationFeed.close()
  })
  expect(leaks).toEqual([])
})
