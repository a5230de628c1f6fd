import { createVideoEvents, type VideoAdapter, type VideoFailure } from './video-adapter.ts'
import { createYoutubeFrame } from './youtube-frame.ts'
import { createYoutubePlayback } from './youtube-playback.ts'

/**
 * Wraps the video platform's player (https://developers.google.com/youtube/iframe_api_reference) in the interface of a media element. The first
 * `load` creates the frame; later videos are loaded into the same frame.
 */
export function createYoutubeVideo(): VideoAdapter {
  const videoEvents = createVideoEvents()
  let error: VideoFailure | undefined
  let currentVolume = 1
  let isMuted = false

  const frame = createYoutubeFrame({
    onReady() {
      applyVolume()
      videoEvents.emit('ready')
    },
    onState: (state) => youtubePlayback.onState(state),
    onError: (code) => failWith({ kind: 'video', code }),
    onAutoplayBlocked: () => videoEvents.emit('blocked'),
    onUnreachable: () => failWith({ kind: 'network' }),
  })
  const youtubePlayback = createYoutubePlayback({ emit: videoEvents.emit, onPoll: readVolume, pauseVideo: frame.pause })

  function failWith(failure: VideoFailure) {
    error = failure
    youtubePlayback.stop()
    videoEvents.emit('error')
  }

  /** The volume is polled, because the platform fires no event when a person changes it inside the frame. */
  function readVolume() {
    const { player } = frame
    if (!player) return
    const nowMuted = player.isMuted()
    const nowVolume = player.getVolume() / 100
    if (nowMuted === isMuted && Math.abs(nowVolume - currentVolume) < 0.005) return
    isMuted = nowMuted
    currentVolume = nowVolume
    videoEvents.emit('volumechange')
  }

  function applyVolume() {
    const { player } = frame
    if (!player) return
    player.setVolume(Math.round(currentVolume * 100))
    if (isMuted) player.mute()
    else player.unMute()
  }

  return {
    on: videoEvents.on,
    get currentTime() {
      return youtubePlayback.hasStarted && frame.player ? frame.player.getCurrentTime() : frame.startSeconds
    },
    set currentTime(positionSeconds) {
      frame.seek(positionSeconds)
      if (frame.player) videoEvents.emit('timeupdate')
    },
    get duration() {
      return youtubePlayback.hasStarted ? (frame.player?.getDuration() ?? 0) : 0
    },
    get paused() {
      return !youtubePlayback.isPlaying
    },
    get volume() {
      return currentVolume
    },
    set volume(newVolume) {
      currentVolume = newVolume
      applyVolume()
    },
    get muted() {
      return isMuted
    },
    set muted(isNewlyMuted) {
      isMuted = isNewlyMuted
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
      youtubePlayback.onLoad()
      frame.load(videoId, startSeconds)
    },
    play() {
      youtubePlayback.onPlay()
      frame.play()
    },
    pause() {
      youtubePlayback.onPause()
      frame.pause()
    },
    attach: frame.attach,
    close() {
      frame.close()
      youtubePlayback.stop()
    },
  }
}
