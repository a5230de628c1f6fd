import { localStore, type WebStorage } from '../../platform/web-storage.ts'
import { createEmitter } from '../../primitives/emitter.ts'
import { createScope } from '../../primitives/scope.ts'
import { createPlayback } from '../playback.ts'
import { createPlaybackSessionStore } from '../playback-session-store.ts'
import type { Position } from '../player-interface.ts'
import { createSleepTimer } from '../sleep-timer.ts'
import { createTabSync, openTabChannel, type TabChannel } from '../tab-sync.ts'
import type { VideoAdapter } from '../video-adapter.ts'
import { createVolumeControl } from '../volume-control.ts'
import { createYoutubeVideo } from '../youtube-video.ts'
import { scheduledSeconds } from './airings.ts'
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

const TICK_MS = 500

/**
 * Creates the player of the radio. It follows the schedule by the server's clock: a song starts at its scheduled position, and a video that
 * is ahead or behind, for example after an advertisement, is corrected. After a video that ends before the scheduled end of its song or
 * cannot be played, silence lasts until the next song, so that all listeners stay on the same schedule.
 */
export function createRadioPlayer(deps: RadioPlayerDeps): RadioPlayer {
  const scope = createScope()
  const positionChanges = createEmitter<Position>()
  const feed = createStationFeed(deps)
  const video = deps.video ?? createYoutubeVideo()
  const store = createPlaybackSessionStore(deps.storage ?? localStore)

  const playback = createPlayback(video, {
    onChange: publish,
    onMove: () => follower.correctDrift(),
    onStart() {
      tabSync.announceStart()
      // A person can press play inside the frame too.
      if (!model.isOn) play()
    },
    onEnd: () => follower.onEnd(),
    onUnplayable: (code) => follower.onUnplayable(code),
    onPlaybackConfirmed() {},
    onCounted() {},
  })
  const model = createRadioModel({ station: deps.station, feed, playback, video })
  const follower = createScheduleFollower({ model, feed, playback, video, scope, onSleep: fallAsleep })
  const tabSync = createTabSync('channel' in deps ? deps.channel : openTabChannel(), () => model.isOn && pause())
  const sleepTimer = createSleepTimer(Date.now, fallAsleep)
  const volumeControl = createVolumeControl({ video, store, scope, onChange: publish })

  function publish() {
    follower.retryLater()
    model.publish()
  }

  function readPosition(): Position {
    const currentAiring = feed.getSnapshot().airings?.current
    if (currentAiring === undefined) return { positionSeconds: 0, durationSeconds: 0 }
    const positionSeconds = Math.min(currentAiring.duration, Math.max(0, scheduledSeconds(currentAiring, feed.nowMs())))
    return { positionSeconds, durationSeconds: currentAiring.duration }
  }

  function setOn(isOn: boolean) {
    model.isOn = isOn
    feed.setPlaying(isOn)
  }

  function play() {
    // The start is announced to other tabs before the song plays, so that a player that is still loading in another tab does not start
    // afterwards.
    tabSync.announceStart()
    setOn(true)
    follower.join()
  }

  function pause() {
    setOn(false)
    playback.pause()
    // If no video is loaded, the status is set here, because no video event will change it.
    if (playback.status !== 'paused' && playback.status !== 'idle') playback.setStatus('paused')
    else publish()
  }

  function fallAsleep() {
    model.sleep = { kind: 'off' }
    pause()
  }

  const radio: RadioPlayer = {
    ...volumeControl,
    getSnapshot: model.getSnapshot,
    subscribe: model.subscribe,
    position: readPosition,
    onPosition: positionChanges.subscribe,
    play,
    pause,
    toggle: () => (model.getSnapshot().canPause ? pause() : play()),
    setStation(newStation) {
      model.station = newStation
      feed.setStation(newStation)
      publish()
    },
    setSleep(request) {
      model.sleep =
        typeof request === 'string'
          ? { kind: request }
          : { kind: 'at', minutes: request.minutes, atMs: Date.now() + request.minutes * 60_000 }
      sleepTimer.set(model.sleep)
      publish()
    },
    attachStage: video.attach,
    close: scope.dispose,
  }

  scope.add(feed.close)
  scope.add(playback.dispose)
  scope.add(tabSync.close)
  scope.add(sleepTimer.dispose)
  scope.add(
    feed.subscribe(() => {
      follower.follow()
      publish()
    }),
  )
  // Reacts to a pause that a person made inside the frame. A pause by this player has already set `isOn` to false.
  scope.add(video.on('pause', () => model.isOn && playback.status === 'paused' && pause()))
  scope.add(connectRadioSession(radio))
  scope.interval(() => {
    sleepTimer.check()
    positionChanges.emit(readPosition())
  }, TICK_MS)
  return radio
}
