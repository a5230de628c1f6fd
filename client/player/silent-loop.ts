import { startTimeout } from '../primitives/scope.ts'

/**
 * A silent WAV file of 10 s (8 bits, mono, 8,000 Hz) in base64: its header and first sample, and groups of three samples. Chromium gives no
 * media session to sounds of up to 5 s.
 */
const WAV_START_BASE64 = 'UklGRqY4AQBXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YYI4AQCA'
const THREE_SAMPLES_BASE64 = 'gICA'
const SAMPLE_GROUP_COUNT = 26_667

function createElement(): HTMLAudioElement {
  const element = new Audio(`data:audio/wav;base64,${WAV_START_BASE64}${THREE_SAMPLES_BASE64.repeat(SAMPLE_GROUP_COUNT)}`)
  element.loop = true
  return element
}

/**
 * Chromium gives the media session of a paused page to the frame that played sound last. The loop therefore outlasts the video, which takes
 * a moment to pause, and which may start for a moment if it was paused while it loaded.
 */
const LOOP_OUTLASTS_VIDEO_MS = 2000

/** Creates a loop of silence. Its media element is created by the first `play`. */
export function createSilentLoop() {
  let element: HTMLAudioElement | undefined
  let cancelPause: (() => void) | undefined

  function pauseLoop() {
    cancelPause?.()
    cancelPause = undefined
    element?.pause()
  }
  return {
    play() {
      cancelPause?.()
      cancelPause = undefined
      element ??= createElement()
      // If the browser refuses to play the loop, the video plays without it, and the next call tries again.
      if (element.paused) element.play().catch(() => {})
    },
    pause: pauseLoop,
    /** Pauses the loop once the video has paused for certain. */
    pauseLater() {
      if (element?.paused === false) cancelPause ??= startTimeout(pauseLoop, LOOP_OUTLASTS_VIDEO_MS)
    },
  }
}
