import type { RadioAiring } from '../../../contract/radio.ts'
import { watchUrl } from '../../../contract/youtube.ts'
import { localStore, type WebStorage } from '../../platform/web-storage.ts'
import { createEmitter } from '../../primitives/emitter.ts'
import { createScope } from '../../primitives/scope.ts'
import { createPlayback } from '../playback.ts'
import { createPlaybackSessionStore } from '../playback-session-store.ts'
import type { PlayerStatus, Position } from '../player-interface.ts'
import type { Sleep } from '../queue.ts'
import { createSleepTimer } from '../sleep-timer.ts'
import { createTabSync, openTabChannel, type TabChannel } from '../tab-sync.ts'
import type { VideoAdapter } from '../video-adapter.ts'
import { createYoutubeVideo } from '../youtube-video.ts'
import { startMsOf } from './airings.ts'
import { createDriftControl } from './drift-control.ts'
import { connectRadioSession } from './radio-media-session.ts'
import type { OnAir, RadioPlayer, RadioState, RadioStatus } from './radio-player-interface.ts'
import { createStationFeed, type FeedState, type StationFeedDeps } from './station-feed.ts'

export interface RadioPlayerDeps extends StationFeedDeps {
  video?: VideoAdapter
  /** Stores the volume. */
  storage?: WebStorage
  channel?: TabChannel | undefined
}

const TICK_MS = 500
/** The time after a seek in which a player may still report positions from before it. */
const SETTLE_MS = 600
/** The delay until a video that could not be loaded is loaded again. */
const RETRY_MS = 5_000
/** The distance to the end of a video within which no seek is made, because the video might end before the seek is complete. */
const END_MARGIN_SECONDS = 1

const statuses: Record<PlayerStatus, RadioStatus> = {
  idle: 'silent',
  loading: 'loading',
  playing: 'playing',
  paused: 'paused',
  blocked: 'blocked',
  unplayable: 'unplayable',
  failed: 'failed',
}

/**
 * Creates the player of the radio. It follows the schedule of the server's clock: a song is loaded at its true second, and a video that is ahead or
 * behind, for example after an advertisement, is corrected. A video that ends before its song does, or that cannot be played, is followed by silence
 * until the next song, so that no listener skips a song for the others.
 */
export function createRadioPlayer(deps: RadioPlayerDeps): RadioPlayer {
  const scope = createScope()
  const changed = createEmitter()
  const positionChanges = createEmitter<Position>()
  const feed = createStationFeed(deps)
  const video = deps.video ?? createYoutubeVideo()
  const drift = createDriftControl()
  const store = createPlaybackSessionStore(deps.storage ?? localStore)
  let station = deps.station
  let sleep: Sleep = { kind: 'off' }
  /** Whether a person wants to listen. */
  let isOn = false
  /** The airing whose video is loaded. */
  let loadedAiring: RadioAiring | undefined
  /** The status until the next song, once the video of `loadedAiring` has ended or cannot be played. */
  let overStatus: 'playing' | 'unplayable' | undefined
  let isStalled = false
  let settledAtMs = 0
  let cancelRetry = () => {}
  let snapshot: RadioState | undefined

  const playback = createPlayback(video, {
    onChange: publish,
    onMove: correctDrift,
    onStart() {
      tabSync.announceStart()
      // A person can press play inside the frame too.
      if (!isOn) play()
    },
    onEnd,
    onUnplayable(code) {
      overStatus = 'unplayable'
      if (loadedAiring) feed.reportUnplayable(loadedAiring.youtube_id, code)
      playback.setStatus(overStatus)
    },
    onPlaybackConfirmed() {},
    onCounted() {},
  })
  const tabSync = createTabSync('channel' in deps ? deps.channel : openTabChannel(), () => isOn && pause())
  const sleepTimer = createSleepTimer(Date.now, () => {
    sleep = { kind: 'off' }
    pause()
  })

  function publish() {
    snapshot = undefined
    cancelRetry()
    if (isOn && playback.status === 'failed') cancelRetry = scope.timeout(reload, RETRY_MS)
    changed.emit()
  }

  /** Returns the scheduled position of an airing in seconds; 0 before the server's time is known. */
  const scheduledSeconds = (airing: RadioAiring) => ((feed.nowMs() ?? startMsOf(airing)) - startMsOf(airing)) / 1000

  function position(): Position {
    const airing = feed.getSnapshot().airings?.current
    if (airing === undefined) return { positionSeconds: 0, durationSeconds: 0 }
    return { positionSeconds: Math.min(airing.duration, Math.max(0, scheduledSeconds(airing))), durationSeconds: airing.duration }
  }

  /** Loads the song that is on air unless it is loaded. */
  function follow() {
    if (!isOn) return
    const airing = feed.getSnapshot().airings?.current
    if (airing === undefined || feed.nowMs() === undefined) {
      const wasLoaded = loadedAiring !== undefined
      loadedAiring = undefined
      if (playback.status !== 'loading') playback.setStatus('loading')
      // After the change of the status, so that the pause does not count as a person's.
      if (wasLoaded) video.pause()
      return
    }
    if (airing.start_time === loadedAiring?.start_time && airing.youtube_id === loadedAiring.youtube_id) return
    if (loadedAiring && sleep.kind === 'end-of-song' && !isBeforeEnd(loadedAiring)) {
      sleep = { kind: 'off' }
      return pause()
    }
    load(airing)
  }

  function load(airing: RadioAiring) {
    loadedAiring = airing
    overStatus = undefined
    isStalled = false
    if (video.playbackRate !== 1) video.playbackRate = 1
    const leadSeconds = drift.startVideo()
    settledAtMs = performance.now() + SETTLE_MS
    playback.load(airing.youtube_id, airing.duration, Math.max(0, scheduledSeconds(airing) + leadSeconds))
  }

  function reload() {
    loadedAiring = undefined
    follow()
  }

  /** Moves the loaded video to its scheduled position. */
  function rejoin(leadSeconds: number) {
    if (loadedAiring === undefined) return
    drift.restart()
    settledAtMs = performance.now() + SETTLE_MS
    video.currentTime = Math.max(0, scheduledSeconds(loadedAiring) + leadSeconds)
  }

  const isBeforeEnd = (airing: RadioAiring) =>
    scheduledSeconds(airing) < (video.duration > 0 ? Math.min(video.duration, airing.duration) : airing.duration) - END_MARGIN_SECONDS

  function correctDrift() {
    if (!isOn || !loadedAiring || overStatus || isStalled || playback.status !== 'playing') return
    if (performance.now() < settledAtMs || !isBeforeEnd(loadedAiring)) return
    const errorSeconds = video.currentTime - scheduledSeconds(loadedAiring)
    const correction = drift.measure(errorSeconds, performance.now(), video.playbackRate)
    if (correction.kind === 'seek') rejoin(correction.leadSeconds)
    else if (Math.abs(video.playbackRate - correction.rate) > 0.01) video.playbackRate = correction.rate
  }

  function onEnd() {
    // A person moved the video to its end, or an advertisement ended.
    if (isOn && loadedAiring && isBeforeEnd(loadedAiring) && performance.now() > settledAtMs) load(loadedAiring)
    else overStatus = 'playing'
  }

  function setOn(next: boolean) {
    isOn = next
    feed.setPlaying(next)
  }

  function play() {
    // At once, so that a player that still loads does not start after it.
    tabSync.announceStart()
    setOn(true)
    const isPlayingInFrame = playback.status === 'playing'
    if (playback.loadedId === undefined) loadedAiring = undefined
    follow()
    // The video was loaded just now, or there is none yet.
    if (playback.status === 'loading' || !loadedAiring) return
    if (overStatus) return playback.setStatus(overStatus)
    rejoin(0)
    if (!isPlayingInFrame) playback.play()
  }

  function pause() {
    setOn(false)
    playback.pause()
    // Without a loaded video no event follows.
    if (playback.status !== 'paused' && playback.status !== 'idle') playback.setStatus('paused')
    else publish()
  }

  function saveVolume() {
    store.writeVolume({ volume: video.volume, muted: video.muted })
    publish()
  }

  const radio: RadioPlayer = {
    getSnapshot() {
      const { airings, hasNoSongs, serverUnreachable, listeners, playsMain } = feed.getSnapshot()
      snapshot ??= {
        status: statuses[playback.status],
        canPause: ['playing', 'loading', 'unplayable'].includes(playback.status),
        station,
        playsMain,
        onAir: airings && onAirOf(feed.getSnapshot()),
        hasNoSongs,
        serverUnreachable,
        listeners,
        sleep,
        volume: video.volume,
        muted: video.muted,
        hasFrame: video.ready,
      }
      return snapshot
    },
    subscribe: changed.subscribe,
    position,
    onPosition: positionChanges.subscribe,
    play,
    pause,
    toggle: () => (radio.getSnapshot().canPause ? pause() : play()),
    setStation(next) {
      station = next
      feed.setStation(next)
      publish()
    },
    setVolume(value) {
      video.volume = Math.min(1, Math.max(0, value))
      if (value > 0) video.muted = false
      saveVolume()
    },
    setMuted(value) {
      video.muted = value
      saveVolume()
    },
    setSleep(request) {
      sleep =
        typeof request === 'string'
          ? { kind: request }
          : { kind: 'at', minutes: request.minutes, atMs: Date.now() + request.minutes * 60_000 }
      sleepTimer.set(sleep)
      publish()
    },
    attachStage: video.attach,
    close: scope.dispose,
  }

  const { volume, muted } = store.readVolume()
  video.volume = volume
  video.muted = muted
  scope.add(feed.close)
  scope.add(playback.dispose)
  scope.add(tabSync.close)
  scope.add(sleepTimer.dispose)
  scope.add(
    feed.subscribe(() => {
      follow()
      publish()
    }),
  )
  scope.add(video.on('volumechange', saveVolume))
  // The frame was created while the song went on.
  scope.add(video.on('ready', () => isOn && rejoin(0)))
  scope.add(
    video.on('waiting', () => {
      isStalled = true
    }),
  )
  scope.add(
    video.on('playing', () => {
      isStalled = false
      drift.restart()
    }),
  )
  // The pause of a person inside the frame; the pauses of this player have switched it off already.
  scope.add(video.on('pause', () => isOn && playback.status === 'paused' && pause()))
  scope.add(connectRadioSession(radio))
  scope.interval(() => {
    sleepTimer.check()
    positionChanges.emit(position())
  }, TICK_MS)
  return radio
}

function onAirOf({ answer, airings }: FeedState): OnAir | undefined {
  if (answer === undefined || airings === undefined) return undefined
  const { current, upcoming, history } = airings
  const isOfAnswer = answer.youtube_id === current.youtube_id
  return {
    ...current,
    youtube_url: isOfAnswer ? answer.youtube_url : watchUrl(current.youtube_id),
    category_id: isOfAnswer ? answer.category_id : undefined,
    category_name: isOfAnswer ? answer.category_name : undefined,
    next: upcoming[0],
    history,
  }
}
