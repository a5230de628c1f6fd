import { createCleanupScope } from '../../primitives/scope.ts'
import { createVideoEvents, type VideoAdapter, type VideoFailure } from '../video-adapter.ts'

const FORWARDED_EVENTS = ['timeupdate', 'durationchange', 'ended', 'playing', 'pause', 'waiting', 'volumechange'] as const
/** The video platform's error code for a video that was removed. */
const REMOVED_VIDEO_ERROR_CODE = 100

/**
 * Returns a video adapter that plays files in `element`. `sourceOf` returns the URL of the file of a video. A file that cannot be played
 * fails with the error code 100.
 */
export function createMediaVideo(element: HTMLMediaElement, sourceOf: (videoId: string) => string): VideoAdapter {
  const scope = createCleanupScope()
  const videoEvents = createVideoEvents()
  let error: VideoFailure | undefined
  let isVideoReady = false

  for (const eventType of FORWARDED_EVENTS) {
    scope.listen(element, eventType, () => {
      // A media element fires `pause` before `ended`; the video platform does not.
      if (eventType === 'pause' && element.ended) return
      // A media element that stalled before it was paused may still send this event.
      if (eventType === 'playing' && element.paused) return
      videoEvents.emit(eventType)
    })
  }
  scope.listen(element, 'error', () => {
    if (element.getAttribute('src') === null) return
    error = { kind: 'video', code: REMOVED_VIDEO_ERROR_CODE }
    videoEvents.emit('error')
  })

  const startPlaying = () => {
    element.play().catch((reason: unknown) => {
      if (reason instanceof DOMException && reason.name === 'NotAllowedError') videoEvents.emit('blocked')
    })
  }

  return {
    on: videoEvents.on,
    get currentTime() {
      return element.currentTime
    },
    set currentTime(seconds) {
      element.currentTime = seconds
    },
    get duration() {
      return Number.isFinite(element.duration) ? element.duration : 0
    },
    get paused() {
      return element.paused
    },
    get volume() {
      return element.volume
    },
    set volume(volume) {
      element.volume = volume
    },
    get muted() {
      return element.muted
    },
    set muted(muted) {
      element.muted = muted
    },
    get playbackRate() {
      return element.playbackRate
    },
    set playbackRate(rate) {
      element.playbackRate = rate
    },
    get error() {
      return error
    },
    get ready() {
      return isVideoReady
    },
    get online() {
      return navigator.onLine
    },
    startTimeoutMs: 20_000,
    load(videoId, startSeconds) {
      error = undefined
      element.src = sourceOf(videoId)
      element.currentTime = startSeconds
      if (!isVideoReady) {
        isVideoReady = true
        videoEvents.emit('ready')
      }
      startPlaying()
    },
    play: startPlaying,
    pause: () => element.pause(),
    attach: (host) => host.append(element),
    close() {
      scope.dispose()
      element.removeAttribute('src')
      element.load()
      element.remove()
    },
  }
}
