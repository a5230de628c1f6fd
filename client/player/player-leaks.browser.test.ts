import { afterEach, expect, test, vi } from 'vitest'
import { createMemoryStorage } from '../platform/testing/memory-storage.ts'
import { createCleanupScope } from '../primitives/scope.ts'
import { countSubscriptions, findLeaks } from '../testing/leaks.ts'
import { createPlayback } from './playback.ts'
import { createSleepTimer } from './sleep-timer.ts'
import { createMediaVideo } from './testing/media-video.ts'
import { setUpPlayer, songIds } from './testing/player-setup.ts'
import { createYoutubeVideo } from './youtube-video.ts'

const [firstSongId = '', secondSongId = ''] = songIds
const doNothing = () => {}

/** The catalogue outlives the player and records which rows were used. This record does not count as a leak. */
const CATALOGUE_PATH = /\/data\//

interface PlatformOptions {
  events: { onReady(): void; onStateChange(event: { data: number }): void }
}

/** Replaces the platform's player by one that does nothing. Returns the options with which players were created. */
function replacePlatform(): PlatformOptions[] {
  const createdOptions: PlatformOptions[] = []
  class StandInPlayer {
    constructor(_target: Element, options: PlatformOptions) {
      createdOptions.push(options)
    }
    isMuted = () => false
    mute = doNothing
    unMute = doNothing
    setVolume = doNothing
    getVolume = () => 100
    playVideo = doNothing
    pauseVideo = doNothing
    getDuration = () => 100
    destroy = doNothing
  }
  Object.assign(window, { YT: { Player: StandInPlayer } })
  return createdOptions
}

afterEach(() => {
  document.getElementById('stand-in')?.remove()
  Reflect.deleteProperty(window, 'YT')
})

test('closing a player that has played, slept, skipped and saved its session releases all resources', async () => {
  let countSubscribers = () => 0
  const leaks = await findLeaks(async () => {
    const memoryStorage = createMemoryStorage()
    const { player, videoSubscriptions, close } = setUpPlayer({
      storage: memoryStorage,
      errorCodesBySongId: { [secondSongId]: 150 },
      channel: new BroadcastChannel('leaks'),
    })
    countSubscribers = videoSubscriptions
    expect(countSubscribers()).toBeGreaterThan(0)
    player.open({ songId: firstSongId, contextId: 'list' })
    await vi.waitFor(() => expect(player.getSnapshot().status).toBe('playing'))
    player.setSleep({ minutes: 15 })
    player.setVolume(0.5)
    player.next()
    await vi.waitFor(() => expect(player.getSnapshot().status).toBe('unplayable'))
    close()
    expect(memoryStorage.values.size).toBe(2)
  }, CATALOGUE_PATH)
  expect(leaks).toEqual([])
  expect(countSubscribers()).toBe(0)
})

test('a player that is closed while it loads a song does not start the song', async () => {
  let loadedVideoIds: string[] = []
  const leaks = await findLeaks(async () => {
    const playerSetUp = setUpPlayer()
    loadedVideoIds = playerSetUp.loaded
    playerSetUp.player.open({ songId: firstSongId, contextId: 'list' })
    playerSetUp.close()
    await new Promise((resolve) => setTimeout(resolve, 100))
  }, CATALOGUE_PATH)
  expect(leaks).toEqual([])
  expect(loadedVideoIds).toEqual([])
})

test('disposing the playback of a video that has not started releases all resources', async () => {
  let countSubscribers = () => 0
  const leaks = await findLeaks(() => {
    const mediaVideo = createMediaVideo(document.createElement('audio'), () => 'data:audio/wav;base64,')
    countSubscribers = countSubscriptions(mediaVideo, 'on')
    const playbackEvents = {
      onChange: doNothing,
      onMove: doNothing,
      onStart: doNothing,
      onEnd: doNothing,
      onUnplayable: doNothing,
      onPlaybackConfirmed: doNothing,
      onCounted: doNothing,
    }
    const scope = createCleanupScope()
    const testPlayback = createPlayback(mediaVideo, scope, playbackEvents)
    testPlayback.load(firstSongId, 100, 0)
    expect(countSubscribers()).toBeGreaterThan(0)
    scope.dispose()
  })
  expect(leaks).toEqual([])
  expect(countSubscribers()).toBe(0)
})

test('a disposed sleep timer leaves no timer, even if it is set again after its disposal', async () => {
  const leaks = await findLeaks(() => {
    const scope = createCleanupScope()
    const timer = createSleepTimer(scope, Date.now, doNothing)
    timer.set({ kind: 'at', minutes: 15, atMs: Date.now() + 900_000 })
    scope.dispose()
    timer.set({ kind: 'at', minutes: 15, atMs: Date.now() + 900_000 })
  })
  expect(leaks).toEqual([])
})

test('closing the adapter of the video platform releases all resources, while it waits for the platform and while it plays', async () => {
  const createdOptions = replacePlatform()
  const leaks = await findLeaks(async () => {
    for (const isReady of [false, true]) {
      const youtubeVideo = createYoutubeVideo()
      youtubeVideo.attach(document.createElement('div'))
      youtubeVideo.load(firstSongId, 0)
      await vi.waitFor(() => expect(createdOptions).toHaveLength(isReady ? 2 : 1))
      if (isReady) {
        createdOptions[1]?.events.onReady()
        createdOptions[1]?.events.onStateChange({ data: 1 })
        expect(youtubeVideo.paused).toBe(false)
      }
      youtubeVideo.close()
    }
  })
  expect(leaks).toEqual([])
})

test('the video adapter ignores a late report that a paused video is playing, but accepts such a report after the pause was reported', async () => {
  const createdOptions = replacePlatform()
  const youtubeVideo = createYoutubeVideo()
  youtubeVideo.attach(document.createElement('div'))
  youtubeVideo.load(firstSongId, 0)
  await vi.waitFor(() => expect(createdOptions).toHaveLength(1))
  const emittedEvents: string[] = []
  for (const type of ['playing', 'pause'] as const) youtubeVideo.on(type, () => emittedEvents.push(type))
  const [playingState, pausedState] = [1, 2]
  createdOptions[0]?.events.onReady()
  const reportState = (state: number) => createdOptions[0]?.events.onStateChange({ data: state })
  reportState(playingState)
  youtubeVideo.pause()
  reportState(playingState)
  reportState(pausedState)
  reportState(playingState)
  expect(emittedEvents).toEqual(['playing', 'pause', 'playing'])
  youtubeVideo.close()
})
