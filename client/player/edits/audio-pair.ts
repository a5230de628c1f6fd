import { startInterval } from '../../primitives/scope.ts'
import { type AudioSlot, createAudioSlot, type OpenSound } from './audio-slot.ts'

const FADE_PERIOD_MS = 50

/** Creates two audio elements, of which one plays, and the other loads the next sound or fades out. */
export function createAudioPair(openSound: OpenSound) {
  let current = createAudioSlot(openSound)
  let spare = createAudioSlot(openSound)
  const slots: readonly AudioSlot[] = [current, spare]
  let volume = 1
  let muted = false
  let nextId: string | undefined
  /** The next sound, if it could not be loaded ahead. */
  let failedId: string | undefined
  /** Ends the running crossfade. */
  let stopFade: (() => void) | undefined

  function applyVolume() {
    for (const slot of slots) {
      slot.element.volume = volume * slot.gain
      slot.element.muted = muted
    }
  }

  function loadNext() {
    if (stopFade !== undefined || nextId === undefined || spare.id === nextId || nextId === failedId) return
    const [slot, soundId] = [spare, nextId]
    // The failure is reported when the sound is to be played.
    slot.load(soundId).catch(() => {
      if (slot !== spare || slot.id !== soundId) return
      failedId = soundId
      slot.unload()
    })
  }

  /** Fades `current` in and `spare` out, with constant power. */
  function startFade(seconds: number) {
    const [fadedIn, fadedOut] = [current, spare]
    const startedAtMs = performance.now()
    const fade = () => {
      const share = Math.min(1, (performance.now() - startedAtMs) / (seconds * 1000))
      fadedIn.gain = Math.sin((share * Math.PI) / 2)
      fadedOut.gain = Math.cos((share * Math.PI) / 2)
      applyVolume()
      if (share === 1) stopFade?.()
    }
    const stopTimer = startInterval(fade, FADE_PERIOD_MS)
    stopFade = () => {
      stopFade = undefined
      stopTimer()
      fadedOut.unload()
      fadedIn.gain = 1
      fadedOut.gain = 1
      applyVolume()
      loadNext()
    }
    fade()
  }

  return {
    slots,
    /** The element that is heard, or will be. */
    get current() {
      return current
    },
    /** The volume of both elements, 0 to 1. */
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
    /** Whether the next sound can start at once. */
    get isNextReady() {
      return stopFade === undefined && nextId !== undefined && spare.id === nextId && spare.canPlay
    },
    /** Sets the sound that will follow, and loads it once no crossfade runs. */
    prepare(soundId: string | undefined) {
      nextId = soundId
      loadNext()
    },
    /**
     * Makes the element that has the sound the current one; without such an element, the current one stays. The other one is faded out, or with
     * `fadeSeconds` of 0 unloaded. Returns the current one.
     */
    switchTo(soundId: string, fadeSeconds: number): AudioSlot {
      failedId = undefined
      if (fadeSeconds === 0) stopFade?.()
      if (spare.id !== soundId) return current
      ;[current, spare] = [spare, current]
      if (fadeSeconds > 0) startFade(fadeSeconds)
      else spare.unload()
      return current
    },
    /** Ends a crossfade at once. */
    endFade: () => stopFade?.(),
    unload() {
      nextId = undefined
      stopFade?.()
      for (const slot of slots) slot.unload()
    },
  }
}

/** Whether a page can set the volume of an element, which the devices of Apple do not allow. */
export function canSetVolume(): boolean {
  const element = new Audio()
  element.volume = 0.5
  return element.volume === 0.5
}
