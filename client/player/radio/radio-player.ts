import { localStore, type WebStorage } from '../../platform/web-storage.ts'
import { createEmitter } from '../../primitives/emitter.ts'
import { createCleanupScope } from '../../primitives/scope.ts'
import { createPlayback } from '../playback.ts'
import { createPlaybackSessionStore } from '../playback-session-store.ts'
import type { PlaybackPosition } from '../player-interface.ts'
import { createSleepTimer } from '../sleep-timer.ts'
import { createTabSync, openTabChannel, type TabChannel } from '../tab-sync.ts'
import type { VideoAdapter } from '../video-adapter.ts'
import { createVolumeControl } from '../volume-control.ts'
import { createYoutubeVideo } from '../youtube-video.ts'
import { computeScheduledSeconds } from './airings.ts'
import { connectRadioSession } from './radio-media-session.ts'
import { createRadioModel } from './radio-model.ts'
import type { RadioPlayer } from './radio-player-interface.ts'
import { createScheduleFollower } from './schedule-follower.ts'
import { createStationFeed, type StationFeedDeps } from './station-feed.ts'

export interface RadioPlayerDeps extends StationFeedDeps {
  video?: VideoAdapter
  storage?: WebStorage
  channel?: TabChannel | undefined
}

const POSITION_INTERVAL_MS = 500

/**
 * Creates the player of the radio. It follows the schedule by the server's clock: a song starts at its scheduled position, and a video that
 * is ahead or behind, for example after an advertisement, is corrected. After a video that ends before the scheduled end of its song or
 * cannot be played, silence lasts until the next song, so that all listeners stay on the same schedule.
 */
export function createRadioPlayer(deps: RadioPlayerDeps): RadioPlayer {
  const scope = createCleanupScope()
  const positionChanges = createEmitter<PlaybackPosition>()
  const stationFeed = createStationFeed(deps)
  const radioVideo = deps.video ?? createYoutubeVideo()
  const sessionStore = createPlaybackSessionStore(deps.storage ?? localStore)

  const playback = createPlayback(radioVideo, scope, {
    onChange: publishState,
    onMove: () => scheduleFollower.correctDrift(),
    onStart() {
      tabSync.announceStart()
      // A person can also press play inside the video platform's frame.
      if (!model.isOn) playStation()
    },
    onEnd: () => scheduleFollower.onEnd(),
    onUnplayable: (code) => scheduleFollower.onUnplayable(code),
    onPlaybackConfirmed() {},
    onCounted() {},
  })
  const model = createRadioModel({ station: deps.station, feed: stationFeed, playback, video: radioVideo })
  const scheduleFollower = createScheduleFollower({ model, feed: stationFeed, playback, video: radioVideo, scope, onSleep: fallAsleep })
  const tabSync = createTabSync('channel' in deps ? deps.channel : openTabChannel(), () => model.isOn && pauseStation())
  const sleepTimer = createSleepTimer(scope, Date.now, fallAsleep)
  const volumeControl = createVolumeControl({ video: radioVideo, store: sessionStore, scope, onChange: publishState })

  function publishState() {
    scheduleFollower.retryLater()
    model.publish()
  }

  function readPosition(): PlaybackPosition {
    const currentAiring = stationFeed.getSnapshot().airings?.current
    if (currentAiring === undefined) return { positionSeconds: 0, durationSeconds: 0 }
    const positionSeconds = Math.min(currentAiring.duration, Math.max(0, computeScheduledSeconds(currentAiring, stationFeed.nowMs())))
    return { positionSeconds, durationSeconds: currentAiring.duration }
  }

  function setRadioOn(isOn: boolean) {
    model.isOn = isOn
    stationFeed.setPlaying(isOn)
  }

  function playStation() {
    // The start is announced to other tabs before the song plays, so that a player that is still loading in another tab does not start
    // afterwards.
    tabSync.announceStart()
    setRadioOn(true)
    scheduleFollower.join()
  }

  function pauseStation() {
    setRadioOn(false)
    playback.pause()
    // If no video is loaded, the status is set here, because no video event will change it.
    if (playback.status !== 'paused' && playback.status !== 'idle') playback.setStatus('paused')
    else publishState()
  }

  function fallAsleep() {
    model.sleep = { kind: 'off' }
    pauseStation()
  }

  const radio: RadioPlayer = {
    ...volumeControl,
    getSnapshot: model.getSnapshot,
    subscribe: model.subscribe,
    position: readPosition,
    onPosition: positionChanges.subscribe,
    play: playStation,
    pause: pauseStation,
    toggle: () => (model.getSnapshot().canPause ? pauseStation() : playStation()),
    setStation(newStation) {
      model.station = newStation
      stationFeed.setStation(newStation)
      publishState()
    },
    setSleep(request) {
      model.sleep =
        typeof request === 'string'
          ? { kind: request }
          : { kind: 'at', minutes: request.minutes, atMs: Date.now() + request.minutes * 60_000 }
      sleepTimer.set(model.sleep)
      publishState()
    },
    attachStage: radioVideo.attach,
    close: scope.dispose,
  }

  scope.add(stationFeed.close)
  scope.add(tabSync.close)
  scope.add(
    stationFeed.subscribe(() => {
      scheduleFollower.follow()
      publishState()
    }),
  )
  // Reacts to a pause that a person made inside the video's frame. A pause by this player has already set `isOn` to false.
  scope.add(radioVideo.on('pause', () => model.isOn && playback.status === 'paused' && pauseStation()))
  scope.add(connectRadioSession(radio))
  scope.interval(() => {
    sleepTimer.check()
    positionChanges.emit(readPosition())
  }, POSITION_INTERVAL_MS)
  return radio
}
