import { startInterval } from '../../primitives/scope.ts'
import { type AudioSlot, createAudioSlot, type OpenSound } from './audio-slot.ts'

const FADE_PERIOD_MS = 50

/** Creates a pair of audio elements: one plays, while the other loads the next sound or fades out. */
export function createAudioPair(openSound: OpenSound) {
  let currentSlot = createAudioSlot(openSound)
  let spareSlot = createAudioSlot(openSound)
  const slots: readonly AudioSlot[] = [currentSlot, spareSlot]
  let volume = 1
  let muted = false
  let nextId: string | undefined
  /** The id of the next sound, if the attempt to load it in advance has failed. */
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
    if (stopFade !== undefined || nextId === undefined || spareSlot.id === nextId || nextId === failedId) return
    const [slot, soundId] = [spareSlot, nextId]
    // The failure is ignored here, because it is reported when the sound is played.
    slot.load(soundId).catch(() => {
      if (slot !== spareSlot || slot.id !== soundId) return
      failedId = soundId
      slot.unload()
    })
  }

  /** Fades `currentSlot` in and `spareSlot` out, with constant power. */
  function startFade(seconds: number) {
    const [fadedIn, fadedOut] = [currentSlot, spareSlot]
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
    /** The element that plays or will play next. */
    get current() {
      return currentSlot
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
    /** Whether the next sound can start immediately. */
    get isNextReady() {
      return stopFade === undefined && nextId !== undefined && spareSlot.id === nextId && spareSlot.canPlay
    },
    /** Sets the sound that will follow, and loads it once no crossfade runs. */
    prepare(soundId: string | undefined) {
      nextId = soundId
      loadNext()
    },
    /**
     * Makes the element with the given sound the current one; if no element has the sound, the current element stays. The other element is faded out,
     * or unloaded immediately if `fadeSeconds` is 0. Returns the current element.
     */
    switchTo(soundId: string, fadeSeconds: number): AudioSlot {
      failedId = undefined
      if (fadeSeconds === 0) stopFade?.()
      if (spareSlot.id !== soundId) return currentSlot
      ;[currentSlot, spareSlot] = [spareSlot, currentSlot]
      if (fadeSeconds > 0) startFade(fadeSeconds)
      else spareSlot.unload()
      return currentSlot
    },
    /** Ends a crossfade immediately. */
    endFade: () => stopFade?.(),
    unload() {
      nextId = undefined
      stopFade?.()
      for (const slot of slots) slot.unload()
    },
  }
}

/** Whether a page can set the volume of an element. Apple's mobile devices do not allow this. */
export function canSetVolume(): boolean {
  const element = new Audio()
  element.volume = 0.5
  return element.volume === 0.5
}
