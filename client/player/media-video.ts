import { type VideoAdapter, VideoEvents, type VideoFailure } from './video-adapter.ts'

/**
 * The adapter over a media element of the page itself. `sourceOf` gives the address of a video's file; an address that
 * cannot be played is a failure with the code 100, as the platform has for a video that is gone.
 */
export function createMediaVideo(element: HTMLMediaElement, sourceOf: (videoId: string) => string): VideoAdapter {
  const events = new VideoEvents()
  let error: VideoFailure | undefined
  let ready = false
  const forward = (['timeupdate', 'durationchange', 'ended', 'playing', 'pause', 'waiting', 'volumechange'] as const).map((type) => {
    // A media element says `pause` before `ended`; the platform does not.
    const listener = () => (type === 'pause' && element.ended ? undefined : events.emit(type))
    element.addEventListener(type, listener)
    return () => element.removeEventListener(type, listener)
  })
  const fail = () => {
    if (element.getAttribute('src') === null) return
    error = { kind: 'video', code: 100 }
    events.emit('error')
  }
  element.addEventListener('error', fail)

  const play = () => {
    element.play().catch((reason: unknown) => {
      if (reason instanceof DOMException && reason.name === 'NotAllowedError') events.emit('blocked')
    })
  }

  return {
    addEventListener: events.addEventListener.bind(events),
    removeEventListener: events.removeEventListener,
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
    get error() {
      return error
    },
    get ready() {
      return ready
    },
    load(videoId, startSeconds) {
      error = undefined
      element.src = sourceOf(videoId)
      element.currentTime = startSeconds
      if (!ready) {
        ready = true
        events.emit('ready')
      }
      play()
    },
    play,
    pause: () => element.pause(),
    attach: (host) => host.append(element),
    close() {
      for (const stop of forward) stop()
      element.removeEventListener('error', fail)
      element.removeAttribute('src')
      element.load()
      element.remove()
    },
  }
}
