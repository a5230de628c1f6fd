import { startInterval } from '../../primitives/scope.ts'
import { type AudioSlot, createAudioSlot, type GetSoundVersion, type OpenSound } from './audio-slot.ts'

const FADE_STEP_INTERVAL_MS = 50

/** Creates a pair of audio elements: one plays, while the other loads the next sound or fades out. */
export function createAudioPair(openSound: OpenSound, getSoundVersion: GetSoundVersion) {
  let currentSlot = createAudioSlot(openSound, getSoundVersion)
  let spareSlot = createAudioSlot(openSound, getSoundVersion)
  const audioSlots: readonly AudioSlot[] = [currentSlot, spareSlot]
  let currentVolume = 1
  let isMuted = false
  let nextSoundId: string | undefined
  /** The id of the next sound, if the attempt to load it in advance has failed. */
  let failedSoundId: string | undefined
  /** Ends the running crossfade. */
  let stopFade: (() => void) | undefined

  function applyVolume() {
    for (const slot of audioSlots) {
      slot.element.volume = currentVolume * slot.gain
      slot.element.muted = isMuted
    }
  }

  function loadNextSound() {
    if (stopFade !== undefined || nextSoundId === undefined || nextSoundId === failedSoundId) return
    const [audioSlot, soundId] = [spareSlot, nextSoundId]
    // The failure is ignored here, because it is reported when the sound is played.
    audioSlot.load(soundId).catch(() => {
      if (audioSlot !== spareSlot || audioSlot.id !== soundId) return
      failedSoundId = soundId
      audioSlot.unload()
    })
  }

  /** Fades `currentSlot` in and `spareSlot` out, with constant power. */
  function startFade(fadeSeconds: number) {
    const [fadingInSlot, fadingOutSlot] = [currentSlot, spareSlot]
    const startedAtMs = performance.now()
    const applyFadeStep = () => {
      const elapsedShare = Math.min(1, (performance.now() - startedAtMs) / (fadeSeconds * 1000))
      fadingInSlot.gain = Math.sin((elapsedShare * Math.PI) / 2)
      fadingOutSlot.gain = Math.cos((elapsedShare * Math.PI) / 2)
      applyVolume()
      if (elapsedShare === 1) stopFade?.()
    }
    const stopTimer = startInterval(applyFadeStep, FADE_STEP_INTERVAL_MS)
    stopFade = () => {
      stopFade = undefined
      stopTimer()
      fadingOutSlot.unload()
      fadingInSlot.gain = 1
      fadingOutSlot.gain = 1
      applyVolume()
      loadNextSound()
    }
    applyFadeStep()
  }

  return {
    slots: audioSlots,
    /** The element that plays or will play next. */
    get current() {
      return currentSlot
    },
    /** The volume of both elements, 0 to 1. */
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
    /** Whether the next sound can start immediately. */
    get isNextReady() {
      return (
        stopFade === undefined && nextSoundId !== undefined && spareSlot.id === nextSoundId && spareSlot.canPlay && !spareSlot.isOutdated
      )
    },
    /** Sets the sound that will follow, and loads it once no crossfade runs. */
    prepare(soundId: string | undefined) {
      nextSoundId = soundId
      loadNextSound()
    },
    /**
     * Makes the element with the given sound the current one; if no element has the sound, the current element stays. The other element is faded out,
     * or unloaded immediately if `fadeSeconds` is 0. Returns the current element.
     */
    switchTo(soundId: string, fadeSeconds: number): AudioSlot {
      failedSoundId = undefined
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
      nextSoundId = undefined
      stopFade?.()
      for (const slot of audioSlots) slot.unload()
    },
  }
}

/** Whether a page can set the volume of an element. Apple's mobile devices do not allow this. */
export function canSetVolume(): boolean {
  const element = new Audio()
  element.volume = 0.5
  return element.volume === 0.5
}
