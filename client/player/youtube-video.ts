/// <reference types="youtube" />
import { type VideoAdapter, VideoEvents, type VideoFailure } from './video-adapter.ts'

export const SCRIPT_URL = 'https://www.youtube.com/iframe_api'
/** The platform's address for embeds that set no cookies before something plays. */
const FRAME_ORIGIN = 'https://www.youtube-nocookie.com'
const LOAD_TIMEOUT_MS = 15_000
const POSITION_INTERVAL_MS = 250
/** YT.PlayerState, which only exists once the script was loaded. */
const ENDED = 0
const PLAYING = 1
const PAUSED = 2
const BUFFERING = 3

declare global {
  interface Window {
    onYouTubeIframeAPIReady?: () => void
  }
}

/**
 * The video platform's player (https://developers.google.com/youtube/iframe_api_reference) with the face of a media
 * element. One frame, made at the first `load`; the next videos go into the same frame.
 */
export function createYoutubeVideo({ timeoutMs = LOAD_TIMEOUT_MS } = {}): VideoAdapter {
  const events = new VideoEvents()
  let host: HTMLElement | undefined
  let player: YT.Player | undefined
  /** The player's methods exist only once it said that it is ready. */
  let ready = false
  let starting = false
  let wanted: { videoId: string; startSeconds: number; play: boolean } | undefined
  let error: VideoFailure | undefined
  let playing = false
  let volume = 1
  let muted = false
  let timer: ReturnType<typeof setInterval> | undefined
  /** A timeupdate must not come between `load` and the first sign of the new video: it would give the old one's time. */
  let settled = false

  function fail(failure: VideoFailure) {
    error = failure
    stopTicking()
    playing = false
    events.emit('error')
  }

  function stopTicking() {
    clearInterval(timer)
    timer = undefined
  }

  function onState(state: number) {
    if (state === PLAYING) {
      settled = true
      playing = true
      timer ??= setInterval(() => {
        readVolume()
        events.emit('timeupdate')
      }, POSITION_INTERVAL_MS)
      events.emit('durationchange')
      events.emit('playing')
      return
    }
    if (state === BUFFERING) {
      if (playing) events.emit('waiting')
      return
    }
    if (!settled) return
    stopTicking()
    playing = false
    if (state === ENDED) events.emit('ended')
    if (state === PAUSED) {
      events.emit('timeupdate')
      events.emit('pause')
    }
  }

  /** People can change the volume inside the frame, and the platform sends no event for it. */
  function readVolume() {
    if (!player || !ready) return
    const nowMuted = player.isMuted()
    const nowVolume = player.getVolume() / 100
    if (nowMuted === muted && Math.abs(nowVolume - volume) < 0.005) return
    muted = nowMuted
    volume = nowVolume
    events.emit('volumechange')
  }

  function applyVolume() {
    if (!player || !ready) return
    player.setVolume(Math.round(volume * 100))
    if (muted) player.mute()
    else player.unMute()
  }

  function discard() {
    stopTicking()
    player?.destroy()
    host?.replaceChildren()
    player = undefined
    ready = false
    playing = false
  }

  async function start() {
    if (starting || player || !host || !wanted) return
    starting = true
    try {
      await loadScript(timeoutMs)
      if (!host || !wanted) return
      await createPlayer(host, wanted)
    } catch {
      discard()
      fail({ kind: 'network' })
    } finally {
      starting = false
    }
  }

  function createPlayer(into: HTMLElement, first: { videoId: string; startSeconds: number; play: boolean }): Promise<void> {
    const target = document.createElement('div')
    into.replaceChildren(target)
    const { startSeconds } = first
    return new Promise((resolve, reject) => {
      const timeout = setTimeout(() => reject(new Error('The player did not get ready in time.')), timeoutMs)
      const created = new YT.Player(target, {
        host: FRAME_ORIGIN,
        videoId: first.videoId,
        width: '100%',
        height: '100%',
        playerVars: {
          autoplay: first.play ? 1 : 0,
          playsinline: 1,
          rel: 0,
          start: Math.floor(startSeconds),
          origin: location.origin,
        },
        events: {
          onReady: () => {
            clearTimeout(timeout)
            ready = true
            applyVolume()
            resolve()
            events.emit('ready')
            // What was asked for while the player was on its way.
            if (!wanted) return
            if (wanted.videoId !== first.videoId) return loadInto(created, wanted)
            if (wanted.startSeconds !== startSeconds) created.seekTo(wanted.startSeconds, true)
            if (wanted.play) created.playVideo()
            else created.pauseVideo()
          },
          onStateChange: (event) => onState(event.data),
          onError: (event) => fail({ kind: 'video', code: Number(event.data) }),
          onAutoplayBlocked: () => events.emit('blocked'),
        },
      })
      player = created
    })
  }

  function loadInto(target: YT.Player, video: { videoId: string; startSeconds: number; play: boolean }) {
    const request = { videoId: video.videoId, startSeconds: video.startSeconds }
    if (video.play) target.loadVideoById(request)
    else target.cueVideoById(request)
  }

  return {
    addEventListener: events.addEventListener.bind(events),
    removeEventListener: events.removeEventListener,
    get currentTime() {
      return ready && settled ? (player?.getCurrentTime() ?? 0) : (wanted?.startSeconds ?? 0)
    },
    set currentTime(seconds) {
      if (wanted) wanted.startSeconds = seconds
      if (!ready) return
      player?.seekTo(seconds, true)
      events.emit('timeupdate')
    },
    get duration() {
      return ready && settled ? (player?.getDuration() ?? 0) : 0
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
    get error() {
      return error
    },
    get ready() {
      return ready
    },
    load(videoId, startSeconds) {
      error = undefined
      settled = false
      playing = false
      stopTicking()
      wanted = { videoId, startSeconds, play: true }
      if (!player) void start()
      else if (ready) loadInto(player, wanted)
    },
    play() {
      if (wanted) wanted.play = true
      if (!player) void start()
      else if (ready) player.playVideo()
    },
    pause() {
      if (wanted) wanted.play = false
      if (ready) player?.pauseVideo()
    },
    attach(element) {
      if (host === element) return
      host = element
      void start()
    },
    close() {
      discard()
      wanted = undefined
    },
  }
}

let script: Promise<void> | undefined

/** Once for a page; a failed load is forgotten, so that it can be tried again. */
function loadScript(timeoutMs: number): Promise<void> {
  if (typeof YT !== 'undefined' && typeof YT.Player === 'function') return Promise.resolve()
  script ??= new Promise<void>((resolve, reject) => {
    const element = document.createElement('script')
    const giveUp = () => {
      clearTimeout(timeout)
      element.remove()
      script = undefined
      reject(new Error('The player script could not be loaded.'))
    }
    const timeout = setTimeout(giveUp, timeoutMs)
    window.onYouTubeIframeAPIReady = () => {
      clearTimeout(timeout)
      resolve()
    }
    element.src = SCRIPT_URL
    element.async = true
    element.addEventListener('error', giveUp)
    document.head.append(element)
  })
  return script
}
