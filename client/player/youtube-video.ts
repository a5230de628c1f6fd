/// <reference types="youtube" />
import { createScope, type Scope } from '../primitives/scope.ts'
import { loadOnce } from '../primitives/single-flight.ts'
import { scriptUrl } from '../primitives/trusted-types.ts'
import { createVideoEvents, type VideoAdapter, type VideoFailure } from './video-adapter.ts'

const SCRIPT_URL = 'https://www.youtube.com/iframe_api'
/** The platform's host for embeds that set no cookies before playback. */
const FRAME_ORIGIN = 'https://www.youtube-nocookie.com'
/** A video that was told to pause before its start may start within this time. */
const EARLY_PAUSE_MS = 1000
const LOAD_TIMEOUT_MS = 15_000
const POSITION_INTERVAL_MS = 250
/** Values of YT.PlayerState, which is undefined before the script is loaded. */
const ENDED_STATE = 0
const PLAYING_STATE = 1
const PAUSED_STATE = 2
const BUFFERING_STATE = 3

declare global {
  interface Window {
    onYouTubeIframeAPIReady?: () => void
  }
}

interface RequestedVideo {
  videoId: string
  startSeconds: number
  /** Whether the video plays once it is loaded. */
  shouldPlay: boolean
}

/**
 * Wraps the video platform's player (https://developers.google.com/youtube/iframe_api_reference) in the interface of a media element. The first
 * `load` creates the frame; later videos are loaded into the same frame.
 */
export function createYoutubeVideo(): VideoAdapter {
  const events = createVideoEvents()
  let host: HTMLElement | undefined
  let player: YT.Player | undefined
  /** Owns the timers of the current frame. */
  let frameScope = createScope()
  /** The methods of `player` are undefined before its `onReady` event. */
  let isReady = false
  let isStarting = false
  let requestedVideo: RequestedVideo | undefined
  let error: VideoFailure | undefined
  let playing = false
  /** Whether a video that plays was told to pause and has not yet reported the pause. */
  let isPausing = false
  /** When a video that had not started yet was told to pause. */
  let pausedEarlyAtMs = Number.NEGATIVE_INFINITY
  let volume = 1
  let muted = false
  let stopPolling: (() => void) | undefined
  /** Whether the loaded video has started. Until then the platform's player reports the time of the previous video. */
  let hasStarted = false

  function failWith(failure: VideoFailure) {
    error = failure
    endPolling()
    playing = false
    isPausing = false
    events.emit('error')
  }

  function endPolling() {
    stopPolling?.()
    stopPolling = undefined
  }

  function onState(state: number) {
    if (state === PLAYING_STATE) {
      // The platform sends states asynchronously: a stalled video that was told to pause may report that it plays again before it pauses.
      if (isPausing) return
      // The start was under way already; a later one is that of a person, inside the frame.
      if (performance.now() - pausedEarlyAtMs < EARLY_PAUSE_MS) return player?.pauseVideo()
      hasStarted = true
      playing = true
      stopPolling ??= frameScope.interval(() => {
        readVolume()
        events.emit('timeupdate')
      }, POSITION_INTERVAL_MS)
      events.emit('durationchange')
      events.emit('playing')
      return
    }
    if (state === BUFFERING_STATE) {
      if (playing) events.emit('waiting')
      return
    }
    isPausing = false
    if (!hasStarted) return
    endPolling()
    playing = false
    if (state === ENDED_STATE) events.emit('ended')
    if (state === PAUSED_STATE) {
      events.emit('timeupdate')
      events.emit('pause')
    }
  }

  /** A person can change the volume inside the frame, for which the platform fires no event. */
  function readVolume() {
    if (!player || !isReady) return
    const nowMuted = player.isMuted()
    const nowVolume = player.getVolume() / 100
    if (nowMuted === muted && Math.abs(nowVolume - volume) < 0.005) return
    muted = nowMuted
    volume = nowVolume
    events.emit('volumechange')
  }

  function applyVolume() {
    if (!player || !isReady) return
    player.setVolume(Math.round(volume * 100))
    if (muted) player.mute()
    else player.unMute()
  }

  function discardFrame() {
    endPolling()
    frameScope.dispose()
    frameScope = createScope()
    player?.destroy()
    host?.replaceChildren()
    player = undefined
    isReady = false
    playing = false
    isPausing = false
  }

  async function startVideo() {
    if (isStarting || player || !host || !requestedVideo) return
    isStarting = true
    const scope = frameScope
    try {
      await loadScript()
      if (!host || !requestedVideo) return
      await createPlayer(host, requestedVideo, scope)
    } catch {
      // A video that was closed while its script or frame was loading reports no error.
      if (scope.signal.aborted) return
      discardFrame()
      failWith({ kind: 'network' })
    } finally {
      isStarting = false
    }
  }

  /** Resolves when the player is ready. Rejects if that takes too long, or when the frame is discarded. */
  function createPlayer(parentElement: HTMLElement, firstVideo: RequestedVideo, scope: Scope): Promise<void> {
    const frameElement = document.createElement('div')
    parentElement.replaceChildren(frameElement)
    const { startSeconds } = firstVideo
    return new Promise((resolve, reject) => {
      // The rejections have no reason, because each is reported as a failure of the network.
      const cancelTimeout = scope.timeout(reject, LOAD_TIMEOUT_MS)
      scope.add(reject)
      const created = new YT.Player(frameElement, {
        host: FRAME_ORIGIN,
        videoId: firstVideo.videoId,
        width: '100%',
        height: '100%',
        playerVars: {
          autoplay: firstVideo.shouldPlay ? 1 : 0,
          playsinline: 1,
          rel: 0,
          start: Math.floor(startSeconds),
          origin: location.origin,
        },
        events: {
          onReady: () => {
            cancelTimeout()
            isReady = true
            applyVolume()
            resolve()
            events.emit('ready')
            // Another video or position was requested while the player was created.
            if (!requestedVideo) return
            if (requestedVideo.videoId !== firstVideo.videoId) return loadInto(created, requestedVideo)
            if (requestedVideo.startSeconds !== startSeconds) created.seekTo(requestedVideo.startSeconds, true)
            if (requestedVideo.shouldPlay) created.playVideo()
            else created.pauseVideo()
          },
          onStateChange: (event) => onState(event.data),
          onError: (event) => failWith({ kind: 'video', code: Number(event.data) }),
          onAutoplayBlocked: () => events.emit('blocked'),
        },
      })
      player = created
    })
  }

  function loadInto(loadedPlayer: YT.Player, video: RequestedVideo) {
    const request = { videoId: video.videoId, startSeconds: video.startSeconds }
    if (video.shouldPlay) loadedPlayer.loadVideoById(request)
    else loadedPlayer.cueVideoById(request)
  }

  return {
    on: events.on,
    get currentTime() {
      return isReady && hasStarted ? (player?.getCurrentTime() ?? 0) : (requestedVideo?.startSeconds ?? 0)
    },
    set currentTime(seconds) {
      if (requestedVideo) requestedVideo.startSeconds = seconds
      if (!isReady) return
      player?.seekTo(seconds, true)
      events.emit('timeupdate')
    },
    get duration() {
      return isReady && hasStarted ? (player?.getDuration() ?? 0) : 0
    },
    get paused() {
      return !playing
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
      return (isReady && player?.getPlaybackRate()) || 1
    },
    set playbackRate(rate) {
      if (isReady) player?.setPlaybackRate(rate)
    },
    get error() {
      return error
    },
    get ready() {
      return isReady
    },
    load(videoId, startSeconds) {
      error = undefined
      pausedEarlyAtMs = Number.NEGATIVE_INFINITY
      hasStarted = false
      playing = false
      isPausing = false
      endPolling()
      requestedVideo = { videoId, startSeconds, shouldPlay: true }
      if (!player) void startVideo()
      else if (isReady) loadInto(player, requestedVideo)
    },
    play() {
      isPausing = false
      pausedEarlyAtMs = Number.NEGATIVE_INFINITY
      if (requestedVideo) requestedVideo.shouldPlay = true
      if (!player) void startVideo()
      else if (isReady) player.playVideo()
    },
    pause() {
      if (requestedVideo) requestedVideo.shouldPlay = false
      isPausing = playing
      if (!hasStarted) pausedEarlyAtMs = performance.now()
      if (isReady) player?.pauseVideo()
    },
    attach(element) {
      if (host === element) return
      host = element
      void startVideo()
    },
    close() {
      requestedVideo = undefined
      discardFrame()
    },
  }
}

/** Loads the platform's script once per page. A failed load is repeated by the next call. */
const loadScript = loadOnce(async () => {
  if ('YT' in window && YT.Player) return
  const scope = createScope()
  const element = document.createElement('script')
  scope.add(() => element.remove())
  await new Promise<void>((resolve, reject) => {
    scope.timeout(reject, LOAD_TIMEOUT_MS)
    scope.listen(element, 'error', reject)
    window.onYouTubeIframeAPIReady = resolve
    element.src = scriptUrl(SCRIPT_URL)
    document.head.append(element)
  }).finally(scope.dispose)
})
