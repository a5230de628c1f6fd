import type { RadioAiring } from '../../../contract/radio.ts'
import type { Scope } from '../../primitives/scope.ts'
import type { Playback } from '../playback.ts'
import type { VideoAdapter } from '../video-adapter.ts'
import { scheduledSeconds } from './airings.ts'
import { createDriftControl } from './drift-control.ts'
import type { RadioModel } from './radio-model.ts'
import type { StationFeed } from './station-feed.ts'

interface ScheduleFollowerDeps {
  model: RadioModel
  feed: StationFeed
  playback: Playback
  video: VideoAdapter
  scope: Scope
  /** Called at the end of a song, instead of loading the next song, if the sleep timer is set to the end of the song. */
  onSleep: () => void
}

/** The time after a seek in which a player may still report positions from before it. */
const SETTLE_MS = 600
/** The delay before a failed load of a video is repeated. */
const RETRY_MS = 5_000
/** The distance to the end of a video within which no seek is made, because the video might end before the seek is complete. */
const END_MARGIN_SECONDS = 1

/** Keeps the video on the schedule while the radio is on: it loads each song at its scheduled position, and corrects the drift. */
export function createScheduleFollower({ model, feed, playback, video, scope, onSleep }: ScheduleFollowerDeps) {
  const drift = createDriftControl()
  let loadedAiring: RadioAiring | undefined
  /** The status until the next song, once the video of `loadedAiring` has ended or cannot be played. */
  let overStatus: 'playing' | 'unplayable' | undefined
  let isStalled = false
  let settledAtMs = 0
  let cancelRetry = () => {}

  const secondsNow = (airing: RadioAiring) => scheduledSeconds(airing, feed.nowMs())

  const isBeforeEnd = (airing: RadioAiring) =>
    secondsNow(airing) < (video.duration > 0 ? Math.min(video.duration, airing.duration) : airing.duration) - END_MARGIN_SECONDS

  function follow() {
    if (!model.isOn) return
    const currentAiring = feed.getSnapshot().airings?.current
    if (currentAiring === undefined || feed.nowMs() === undefined) return wait()
    if (currentAiring.start_time === loadedAiring?.start_time && currentAiring.youtube_id === loadedAiring.youtube_id) return
    if (loadedAiring && model.sleep.kind === 'end-of-song' && !isBeforeEnd(loadedAiring)) return onSleep()
    load(currentAiring)
  }

  /** Pauses the video until the song on air is known. */
  function wait() {
    const wasLoaded = loadedAiring !== undefined
    loadedAiring = undefined
    if (playback.status !== 'loading') playback.setStatus('loading')
    // The status changes before the pause, so that the pause is not mistaken for a person's pause.
    if (wasLoaded) video.pause()
  }

  function load(airing: RadioAiring) {
    loadedAiring = airing
    overStatus = undefined
    isStalled = false
    if (video.playbackRate !== 1) video.playbackRate = 1
    const leadSeconds = drift.startVideo()
    settledAtMs = performance.now() + SETTLE_MS
    playback.load(airing.youtube_id, airing.duration, Math.max(0, secondsNow(airing) + leadSeconds))
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
    video.currentTime = Math.max(0, secondsNow(loadedAiring) + leadSeconds)
  }

  // The position is computed again, because the schedule has moved on while the frame was created.
  scope.add(video.on('ready', () => model.isOn && rejoin(0)))
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

  return {
    /** Loads the song that is on air unless it is loaded. */
    follow,
    /** Plays the song that is on air from its scheduled position. */
    join() {
      const isPlayingInFrame = playback.status === 'playing'
      if (playback.loadedId === undefined) loadedAiring = undefined
      follow()
      // Returns early if `follow` has just loaded the video, or if no song is known yet.
      if (playback.status === 'loading' || !loadedAiring) return
      if (overStatus) return playback.setStatus(overStatus)
      rejoin(0)
      if (!isPlayingInFrame) playback.play()
    },
    /** Compares the video with the schedule. Call it whenever the position of the video changes. */
    correctDrift() {
      if (!model.isOn || !loadedAiring || overStatus || isStalled || playback.status !== 'playing') return
      if (performance.now() < settledAtMs || !isBeforeEnd(loadedAiring)) return
      const errorSeconds = video.currentTime - secondsNow(loadedAiring)
      const correction = drift.measure(errorSeconds, performance.now(), video.playbackRate)
      if (correction.kind === 'seek') rejoin(correction.leadSeconds)
      else if (Math.abs(video.playbackRate - correction.rate) > 0.01) video.playbackRate = correction.rate
    },
    onEnd() {
      // The video can end before the scheduled end of its song: a person moved it to the end, or an advertisement ended.
      if (model.isOn && loadedAiring && isBeforeEnd(loadedAiring) && performance.now() > settledAtMs) load(loadedAiring)
      else overStatus = 'playing'
    },
    onUnplayable(code: number) {
      overStatus = 'unplayable'
      if (loadedAiring) feed.reportUnplayable(loadedAiring.youtube_id, code)
      playback.setStatus(overStatus)
    },
    /** After a delay, tries again to load a video that could not be loaded. Each call restarts the delay. */
    retryLater() {
      cancelRetry()
      if (model.isOn && playback.status === 'failed') cancelRetry = scope.timeout(reload, RETRY_MS)
    },
  }
}
