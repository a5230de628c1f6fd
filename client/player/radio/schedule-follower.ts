import type { RadioAiring } from '../../../contract/radio.ts'
import type { Scope } from '../../primitives/scope.ts'
import type { Playback } from '../playback.ts'
import type { VideoAdapter } from '../video-adapter.ts'
import { computeScheduledSeconds } from './airings.ts'
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
const SEEK_SETTLE_MS = 600
/** The delay before a failed load of a video is repeated. */
const LOAD_RETRY_DELAY_MS = 5_000
/** The distance to the end of a video within which no seek is made, because the video might end before the seek is complete. */
const END_MARGIN_SECONDS = 1

/** Keeps the video on the schedule while the radio is on: it loads each song at its scheduled position, and corrects the drift. */
export function createScheduleFollower({ model, feed, playback, video, scope, onSleep }: ScheduleFollowerDeps) {
  const driftControl = createDriftControl()
  let loadedAiring: RadioAiring | undefined
  /** The status until the next song, once the video of `loadedAiring` has ended or cannot be played. */
  let endedStatus: 'playing' | 'unplayable' | undefined
  let isStalled = false
  let positionSettledAtMs = 0
  let cancelRetry = () => {}

  const computeScheduledSecondsNow = (airing: RadioAiring) => computeScheduledSeconds(airing, feed.nowMs())

  const isBeforeAiringEnd = (airing: RadioAiring) =>
    computeScheduledSecondsNow(airing) <
    (video.duration > 0 ? Math.min(video.duration, airing.duration) : airing.duration) - END_MARGIN_SECONDS

  function followSchedule() {
    if (!model.isOn) return
    const currentAiring = feed.getSnapshot().airings?.current
    if (currentAiring === undefined || feed.nowMs() === undefined) return waitForAiring()
    if (currentAiring.start_time === loadedAiring?.start_time && currentAiring.youtube_id === loadedAiring.youtube_id) return
    if (loadedAiring && model.sleep.kind === 'end-of-song' && !isBeforeAiringEnd(loadedAiring)) return onSleep()
    loadAiring(currentAiring)
  }

  /** Pauses the video until the song on air is known. */
  function waitForAiring() {
    const wasAiringLoaded = loadedAiring !== undefined
    loadedAiring = undefined
    if (playback.status !== 'loading') playback.setStatus('loading')
    // The status changes before the pause, so that the pause is not mistaken for a person's pause.
    if (wasAiringLoaded) video.pause()
  }

  function loadAiring(airing: RadioAiring) {
    loadedAiring = airing
    endedStatus = undefined
    isStalled = false
    if (video.playbackRate !== 1) video.playbackRate = 1
    const leadSeconds = driftControl.startVideo()
    positionSettledAtMs = performance.now() + SEEK_SETTLE_MS
    playback.load(airing.youtube_id, airing.duration, Math.max(0, computeScheduledSecondsNow(airing) + leadSeconds))
  }

  function reloadVideo() {
    loadedAiring = undefined
    followSchedule()
  }

  /** Moves the loaded video to its scheduled position. */
  function rejoinSchedule(leadSeconds: number) {
    if (loadedAiring === undefined) return
    driftControl.dropMeasurements()
    positionSettledAtMs = performance.now() + SEEK_SETTLE_MS
    video.currentTime = Math.max(0, computeScheduledSecondsNow(loadedAiring) + leadSeconds)
  }

  // The position is computed again, because the schedule has moved on while the frame was created.
  scope.add(video.on('ready', () => model.isOn && rejoinSchedule(0)))
  scope.add(
    video.on('waiting', () => {
      isStalled = true
    }),
  )
  scope.add(
    video.on('playing', () => {
      isStalled = false
      driftControl.dropMeasurements()
    }),
  )

  return {
    /** Loads the song that is on air unless it is loaded. */
    follow: followSchedule,
    /** Plays the song that is on air from its scheduled position. */
    join() {
      const isPlayingInFrame = playback.status === 'playing'
      if (playback.loadedId === undefined) loadedAiring = undefined
      followSchedule()
      // Returns early if `followSchedule` has just loaded the video, or if no song is known yet.
      if (playback.status === 'loading' || !loadedAiring) return
      if (endedStatus) return playback.setStatus(endedStatus)
      rejoinSchedule(0)
      if (!isPlayingInFrame) playback.play()
    },
    /** Compares the video with the schedule. Call it whenever the position of the video changes. */
    correctDrift() {
      if (!model.isOn || !loadedAiring || endedStatus || isStalled || playback.status !== 'playing') return
      if (performance.now() < positionSettledAtMs || !isBeforeAiringEnd(loadedAiring)) return
      const errorSeconds = video.currentTime - computeScheduledSecondsNow(loadedAiring)
      const correction = driftControl.measure(errorSeconds, performance.now(), video.playbackRate)
      if (correction.kind === 'seek') rejoinSchedule(correction.leadSeconds)
      else if (Math.abs(video.playbackRate - correction.rate) > 0.01) video.playbackRate = correction.rate
    },
    onEnd() {
      // The video can end before the scheduled end of its song: a person moved it to the end, or an advertisement ended.
      if (model.isOn && loadedAiring && isBeforeAiringEnd(loadedAiring) && performance.now() > positionSettledAtMs) loadAiring(loadedAiring)
      else endedStatus = 'playing'
    },
    onUnplayable(errorCode: number) {
      endedStatus = 'unplayable'
      if (loadedAiring) feed.reportUnplayable(loadedAiring.youtube_id, errorCode)
      playback.setStatus(endedStatus)
    },
    /** After a delay, tries again to load a video that could not be loaded. Each call restarts the delay. */
    retryLater() {
      cancelRetry()
      if (model.isOn && playback.status === 'failed') cancelRetry = scope.timeout(reloadVideo, LOAD_RETRY_DELAY_MS)
    },
  }
}
