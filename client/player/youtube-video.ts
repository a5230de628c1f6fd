import { createVideoEvents, type VideoAdapter, type VideoFailure } from './video-adapter.ts'
import { createYoutubeFrame } from './youtube-frame.ts'
import { createYoutubePlayback } from './youtube-playback.ts'

/**
 * Wraps the video platform's player (https://developers.google.com/youtube/iframe_api_reference) in the interface of a media element. The first
 * `load` creates the frame; later videos are loaded into the same frame.
 */
export function createYoutubeVideo(): VideoAdapter {
  const events = createVideoEvents()
  let error: VideoFailure | undefined
  let volume = 1
  let muted = false

  const frame = createYoutubeFrame({
    onReady() {
      applyVolume()
      events.emit('ready')
    },
    onState: (state) => playback.onState(state),
    onError: (code) => failWith({ kind: 'video', code }),
    onAutoplayBlocked: () => events.emit('blocked'),
    onUnreachable: () => failWith({ kind: 'network' }),
  })
  const playback = createYoutubePlayback({ emit: events.emit, onPoll: readVolume, pauseVideo: frame.pause })

  function failWith(failure: VideoFailure) {
    error = failure
    playback.stop()
    events.emit('error')
  }

  /** The volume is polled, because the platform fires no event when a person changes it inside the frame. */
  function readVolume() {
    const { player } = frame
    if (!player) return
    const nowMuted = player.isMuted()
    const nowVolume = player.getVolume() / 100
    if (nowMuted === muted && Math.abs(nowVolume - volume) < 0.005) return
    muted = nowMuted
    volume = nowVolume
    events.emit('volumechange')
  }

  function applyVolume() {
    const { player } = frame
    if (!player) return
    player.setVolume(Math.round(volume * 100))
    if (muted) player.mute()
    else player.unMute()
  }

  return {
    on: events.on,
    get currentTime() {
      return playback.hasStarted && frame.player ? frame.player.getCurrentTime() : frame.startSeconds
    },
    set currentTime(seconds) {
      frame.seek(seconds)
      if (frame.player) events.emit('timeupdate')
    },
    get duration() {
      return playback.hasStarted ? (frame.player?.getDuration() ?? 0) : 0
    },
    get paused() {
      return !playback.isPlaying
    },
    get volume() {
      return volume
    },
    set volume(value) {
      volume = value
      applyVolume()
    },
    get muted() {
      return muted
    },
    set muted(value) {
      muted = value
      applyVolume()
    },
    get playbackRate() {
      return frame.player?.getPlaybackRate() || 1
    },
    set playbackRate(rate) {
      frame.player?.setPlaybackRate(rate)
    },
    get error() {
      return error
    },
    get ready() {
      return frame.player !== undefined
    },
    get online() {
      return navigator.onLine
    },
    startTimeoutMs: 20_000,
    load(videoId, startSeconds) {
      error = undefined
      playback.onLoad()
      frame.load(videoId, startSeconds)
    },
    play() {
      playback.onPlay()
      frame.play()
    },
    pause() {
      playback.onPause()
      frame.pause()
    },
    attach: frame.attach,
    close() {
      frame.close()
      playback.stop()
    },
  }
}
