import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createMemoryStorage } from '../../platform/testing/memory-storage.ts'
import { countSubscriptions, findLeaks } from '../../testing/leaks.ts'
import { createRadioPlayer, type RadioPlayerDeps } from './radio-player.ts'
import { advanceTime as advance } from './testing/fake-time.ts'
import { createSimulatedVideo, type SimulatedVideoOptions } from './testing/simulated-video.ts'
import { createStationServer, type StationServer } from './testing/station-server.ts'

const songDurationsS = Array.from({ length: 200 }, () => 100)
/** The positions of two listeners must differ by less than this, in seconds. */
const POSITION_DIFFERENCE_MAX_SECONDS = 1

const closeFunctions: (() => void)[] = []
beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  for (const close of closeFunctions.splice(0)) close()
  vi.useRealTimers()
})

interface ListenerSetUp extends Partial<RadioPlayerDeps> {
  requestLatencyMs?: number
  responseLatencyMs?: number
  videoOptions?: Partial<SimulatedVideoOptions>
}

/** Creates a listener with a simulated video. The videos have the lengths of the schedule's songs. */
function createListener(
  server: StationServer,
  { requestLatencyMs: thereMs, responseLatencyMs: backMs, videoOptions: simulated, ...deps }: ListenerSetUp = {},
) {
  const videoPlatform = createSimulatedVideo({ durationSeconds: 100, ...simulated })
  const radio = createRadioPlayer({
    apiBaseUrl: '/api',
    station: 'main',
    video: videoPlatform.video,
    fetch: server.connect(thereMs, backMs),
    storage: createMemoryStorage(),
    channel: undefined,
    ...deps,
  })
  closeFunctions.push(radio.close)
  /** Returns the video's position minus the position that the schedule demands, in seconds. */
  const readErrorSeconds = () => {
    const current = server.schedule.findLast(({ start_time }) => Date.parse(start_time) <= server.nowMs())
    return videoPlatform.video.currentTime - (server.nowMs() - Date.parse(current?.start_time ?? '')) / 1000
  }
  return { ...videoPlatform, radio, errorSeconds: readErrorSeconds, state: () => radio.getSnapshot() }
}

const countSeeks = (commands: readonly string[]) => commands.filter((command) => command === 'seek').length

test('nothing of the video platform is loaded before a person presses play; then the song is loaded at its scheduled position', async () => {
  const server = createStationServer(songDurationsS)
  const { radio, commands, state, errorSeconds } = createListener(server)
  await advance(42_000)
  expect(commands).toEqual([])
  expect(state()).toMatchObject({ status: 'silent', onAir: { youtube_id: 'song_000000', category_name: 'Category' } })
  expect(radio.position().positionSeconds).toBeCloseTo(42, 1)
  radio.play()
  await advance(1)
  expect(commands[0]).toBe('load song_000000')
  expect(state().status).toBe('playing')
  expect(Math.abs(errorSeconds())).toBeLessThan(0.01)
})

test('listeners with slow networks, uneven latencies and slow videos play within a second of each other, also across changes of the song', {
  tags: ['long'],
}, async () => {
  const server = createStationServer(songDurationsS)
  const listeners = [
    createListener(server),
    createListener(server, { requestLatencyMs: 300, responseLatencyMs: 0, videoOptions: { loadMs: 900, seekMs: 400 } }),
    createListener(server, { requestLatencyMs: 0, responseLatencyMs: 300, videoOptions: { loadMs: 300, hasFineRates: false } }),
    createListener(server, {
      requestLatencyMs: 150,
      responseLatencyMs: 150,
      videoOptions: { loadMs: 2_000, seekMs: 1_000, hasFineRates: false },
    }),
    createListener(server, { requestLatencyMs: 20, responseLatencyMs: 280, videoOptions: { loadMs: 600, seekMs: 200 } }),
  ]
  await advance(2_000)
  for (const { radio } of listeners) {
    radio.play()
    await advance(700)
  }
  await advance(20_000)
  for (let secondIndex = 0; secondIndex < 280; secondIndex++) {
    await advance(1_000)
    const msIntoSong = (server.nowMs() - Date.parse(server.schedule[0]?.start_time ?? '')) % 100_000
    // The test ignores the first seconds of each song, while the players load it.
    if (msIntoSong < 6_000 && secondIndex < 100) continue
    if (msIntoSong < 3_000) continue
    const errorsS = listeners.map(({ errorSeconds }) => errorSeconds())
    expect(
      Math.max(...errorsS) - Math.min(...errorsS),
      `at ${msIntoSong} ms of a song: ${errorsS.map((each) => each.toFixed(2))}`,
    ).toBeLessThan(POSITION_DIFFERENCE_MAX_SECONDS)
  }
  for (const { state } of listeners) expect(state()).toMatchObject({ status: 'playing', onAir: { youtube_id: 'song_000003' } })
})

test('a small drift is corrected by the playback rate, without a seek; if the rate cannot be set finely, only a larger drift is corrected', async () => {
  const server = createStationServer(songDurationsS)
  const fineRateListener = createListener(server)
  const wholeRateListener = createListener(server, { videoOptions: { hasFineRates: false } })
  for (const { radio } of [fineRateListener, wholeRateListener]) radio.play()
  await advance(10_000)
  for (const { seekInFrame, video, commands } of [fineRateListener, wholeRateListener]) {
    commands.length = 0
    seekInFrame(video.currentTime - 0.2)
  }
  await advance(10_000)
  for (const { commands } of [fineRateListener, wholeRateListener]) expect(countSeeks(commands)).toBe(0)
  expect(Math.abs(fineRateListener.errorSeconds())).toBeLessThan(0.1)
  expect([fineRateListener.video.playbackRate, wholeRateListener.video.playbackRate]).toEqual([1, 1])
  expect(wholeRateListener.errorSeconds()).toBeCloseTo(-0.2, 1)
})

test('a video that stalled or that a person moved returns to the scheduled position', async () => {
  const server = createStationServer(songDurationsS)
  const { radio, stall, seekInFrame, errorSeconds, commands } = createListener(server, { videoOptions: { seekMs: 300 } })
  radio.play()
  await advance(10_000)
  stall(15_000)
  await advance(20_000)
  expect(Math.abs(errorSeconds())).toBeLessThan(0.5)
  seekInFrame(5)
  await advance(8_000)
  expect(Math.abs(errorSeconds())).toBeLessThan(0.5)
  expect(countSeeks(commands)).toBeLessThan(8)
})

test('a video that cannot be played is reported, and nothing plays until the next song', async () => {
  const server = createStationServer(songDurationsS)
  const { radio, errorCodes, commands, state } = createListener(server)
  errorCodes.set('song_000000', 150)
  await advance(1_000)
  radio.play()
  await advance(50_000)
  expect(state()).toMatchObject({ status: 'unplayable', canPause: true, onAir: { youtube_id: 'song_000000', title: 'Title 0' } })
  expect(commands.filter((command) => command.startsWith('load'))).toEqual(['load song_000000'])
  expect(server.requests.filter(({ path }) => path === '/song/unplayable').map(({ body }) => body)).toEqual([
    { s: 'song_000000', reason: 'video error 150' },
  ])
  radio.toggle()
  expect(state()).toMatchObject({ status: 'paused', canPause: false })
  radio.toggle()
  expect(state()).toMatchObject({ status: 'unplayable', canPause: true })
  await advance(50_000)
  expect(state()).toMatchObject({ status: 'playing', onAir: { youtube_id: 'song_000001' } })
})

test.each([
  [70, 'shorter'],
  [130, 'longer'],
])('a video of %i s, %s than its song, neither starts again nor delays the next song', async (videoSeconds) => {
  const server = createStationServer(songDurationsS)
  const { radio, commands, isPlaying, state, errorSeconds } = createListener(server, { videoOptions: { durationSeconds: videoSeconds } })
  await advance(1_000)
  radio.play()
  await advance(85_000)
  expect(isPlaying()).toBe(videoSeconds > 100)
  expect(commands.filter((command) => command.startsWith('load'))).toEqual(['load song_000000'])
  await advance(20_000)
  expect(state()).toMatchObject({ status: 'playing', onAir: { youtube_id: 'song_000001' } })
  expect(Math.abs(errorSeconds())).toBeLessThan(0.1)
  expect(server.requests.filter(({ path, atMs }) => path === '/radio/setnewsong' && atMs < Date.parse('2026-03-01T12:01:40Z'))).toEqual([])
})

test("without a server the music continues for at least two songs; within 5 s of the server's return all listeners play the same position", async () => {
  const server = createStationServer(songDurationsS)
  const listeners = [
    createListener(server, { requestLatencyMs: 300 }),
    createListener(server, { responseLatencyMs: 300, videoOptions: { loadMs: 500 } }),
  ]
  await advance(3_000)
  for (const { radio } of listeners) radio.play()
  await advance(60_000)
  server.mode = 'silent'
  await advance(140_000)
  for (const { state, isPlaying } of listeners) {
    expect(isPlaying()).toBe(true)
    expect(state()).toMatchObject({ status: 'playing', serverUnreachable: true, onAir: { youtube_id: 'song_000002' } })
  }
  // Advances the time far beyond the end of the last known song, so that the known songs are repeated.
  await advance(1_500_000, 250)
  for (const { isPlaying } of listeners) expect(isPlaying()).toBe(true)
  const songIds = listeners.map(({ state }) => state().onAir?.youtube_id)
  expect(songIds[0]).toBe(songIds[1])
  server.mode = 'normal'
  await advance(8_000)
  const errors = listeners.map(({ errorSeconds }) => errorSeconds())
  for (const error of errors) expect(Math.abs(error)).toBeLessThan(0.6)
})

test('after a pause, playback continues at the current position of the schedule', async () => {
  const server = createStationServer(songDurationsS)
  const { radio, state, errorSeconds, isPlaying } = createListener(server)
  await advance(1_000)
  radio.toggle()
  await advance(10_000)
  radio.toggle()
  expect(state().status).toBe('paused')
  await advance(30_000)
  expect(isPlaying()).toBe(false)
  radio.toggle()
  await advance(100)
  expect(state().status).toBe('playing')
  expect(Math.abs(errorSeconds())).toBeLessThan(0.1)
  radio.pause()
  await advance(100_000)
  expect(isPlaying()).toBe(false)
  radio.play()
  await advance(100)
  expect(state()).toMatchObject({ status: 'playing', onAir: { youtube_id: 'song_000001' } })
  expect(Math.abs(errorSeconds())).toBeLessThan(0.1)
})

test("a pause inside the video's frame pauses the radio; refused autoplay is a separate status", async () => {
  const server = createStationServer(songDurationsS)
  const { radio, state, pauseInFrame, fireBlocked } = createListener(server)
  await advance(1_000)
  radio.play()
  await advance(5_000)
  pauseInFrame()
  expect(state().status).toBe('paused')
  await advance(120_000)
  expect(state().status).toBe('paused')
  radio.play()
  await advance(100)
  fireBlocked()
  expect(state().status).toBe('blocked')
  radio.toggle()
  await advance(100)
  expect(state().status).toBe('playing')
})

test('play before the first response starts the radio after the response; a radio without songs is silent', async () => {
  const server = createStationServer(songDurationsS)
  const { radio, state, isPlaying } = createListener(server, { requestLatencyMs: 1_000 })
  radio.play()
  expect(state().status).toBe('loading')
  await advance(2_000)
  expect(state().status).toBe('playing')
  server.mode = 'empty'
  await advance(8_000)
  expect([state().hasNoSongs, state().onAir, isPlaying()]).toEqual([true, undefined, false])
})

test('when another station is chosen, the song continues until the response, and without a gap if that station has no songs', async () => {
  const server = createStationServer(songDurationsS)
  const { radio, commands, state, isPlaying } = createListener(server, { requestLatencyMs: 500, responseLatencyMs: 500 })
  radio.play()
  radio.setSleep('end-of-song')
  await advance(5_000)
  radio.setStation('newcomers')
  await advance(800)
  expect([state(), isPlaying()]).toMatchObject([{ station: 'newcomers', playsMain: false, status: 'playing' }, true])
  await advance(1_000)
  expect([state(), isPlaying()]).toMatchObject([{ playsMain: true, status: 'playing', sleep: { kind: 'end-of-song' } }, true])
  expect(commands.filter((command) => command.startsWith('load'))).toEqual(['load song_000000'])
})

test('the sleep timer pauses the radio after the chosen minutes, or at the end of the song', async () => {
  const server = createStationServer(songDurationsS)
  const { radio, state } = createListener(server)
  await advance(1_000)
  radio.play()
  radio.setSleep({ minutes: 1 })
  await advance(59_000)
  expect(state().status).toBe('playing')
  await advance(2_000)
  expect(state()).toMatchObject({ status: 'paused', sleep: { kind: 'off' } })
  radio.play()
  radio.setSleep('end-of-song')
  await advance(36_000)
  expect(state()).toMatchObject({ status: 'playing', sleep: { kind: 'end-of-song' } })
  await advance(5_000)
  expect(state()).toMatchObject({ status: 'paused', sleep: { kind: 'off' } })
})

test('of two tabs, only the last started one plays, and the volume is stored', async () => {
  vi.useRealTimers()
  const server = createStationServer(songDurationsS)
  const memoryStorage = createMemoryStorage()
  const storeName = `radio-${Math.random()}`
  const [firstListener, secondListener] = [1, 2].map(() =>
    createListener(server, { storage: memoryStorage, channel: new BroadcastChannel(storeName) }),
  )
  if (!firstListener || !secondListener) throw new Error('two tabs were opened')
  firstListener.radio.play()
  await vi.waitFor(() => expect(firstListener.state().status).toBe('playing'))
  secondListener.radio.play()
  await vi.waitFor(() => expect([firstListener, secondListener].map(({ state }) => state().status)).toEqual(['paused', 'playing']))
  secondListener.radio.setVolume(0.3)
  expect(createListener(server, { storage: memoryStorage }).state().volume).toBe(0.3)
})

test('closing the radio releases all resources, however often it was started, stopped and tuned', async () => {
  vi.useRealTimers()
  const server = createStationServer(songDurationsS)
  const videoPlatform = createSimulatedVideo({ durationSeconds: 100 })
  const countSubscribers = countSubscriptions(videoPlatform.video, 'on')
  const leaks = await findLeaks(async () => {
    const radio = createRadioPlayer({
      apiBaseUrl: '/api',
      station: 'main',
      video: videoPlatform.video,
      fetch: server.connect(),
      storage: createMemoryStorage(),
    })
    await vi.waitFor(() => expect(radio.getSnapshot().onAir).toBeDefined())
    const idleSubscriberCount = countSubscribers()
    for (let secondIndex = 0; secondIndex < 300; secondIndex++) {
      radio.play()
      radio.setSleep({ minutes: 1 })
      radio.setStation(secondIndex % 2 === 0 ? 'newcomers' : 'main')
      radio.pause()
    }
    expect(countSubscribers()).toBe(idleSubscriberCount)
    radio.play()
    await vi.waitFor(() => expect(radio.getSnapshot().status).toBe('playing'))
    radio.close()
  })
  expect(leaks).toEqual([])
  expect(countSubscribers()).toBe(0)
})
