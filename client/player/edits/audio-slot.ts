import { createCleanupScope } from '../../primitives/scope.ts'

/** Opens a sound of this device. Rejects with `SoundUnavailable`, or if `signal` is aborted. */
export type OpenSound = (soundId: string, signal: AbortSignal) => Promise<OpenedSound>

/** Returns the version of a sound, which differs after every change of the sound. */
export type GetSoundVersion = (soundId: string) => number | undefined

export interface OpenedSound {
  readonly blob: Blob
  /** Called when the sound is no longer read. */
  release(): void
}

/** The codes of the reasons why a sound cannot be played. They are used instead of the video platform's error codes. */
export const SOUND_FAILURE_CODES = { missing: 1, 'no-room': 2, unplayable: 3 } as const

export class SoundUnavailable extends Error {
  override readonly name = 'SoundUnavailable'
  readonly code: number
  constructor(reasonKey: keyof typeof SOUND_FAILURE_CODES) {
    super(`The sound cannot be played: ${reasonKey}.`)
    this.code = SOUND_FAILURE_CODES[reasonKey]
  }
}

/** Creates an audio element together with functions that load a sound into it. */
export function createAudioSlot(openSound: OpenSound, getSoundVersion: GetSoundVersion) {
  const audioElement = new Audio()
  audioElement.preload = 'auto'
  let scope = createCleanupScope()
  let currentSoundId: string | undefined
  let currentVersion: number | undefined
  let loadPromise: Promise<void> = Promise.resolve()
  let isSoundLoaded = false

  function unloadSound() {
    scope.dispose()
    scope = createCleanupScope()
    currentSoundId = undefined
    isSoundLoaded = false
    if (!audioElement.hasAttribute('src')) return
    audioElement.removeAttribute('src')
    audioElement.load()
  }

  const isSoundOutdated = () => currentSoundId !== undefined && getSoundVersion(currentSoundId) !== currentVersion

  async function openInElement(soundId: string) {
    const ownScope = scope
    try {
      const openedSound = await openSound(soundId, ownScope.signal)
      ownScope.add(openedSound.release)
      if (ownScope.signal.aborted) return
      audioElement.src = ownScope.createObjectUrl(openedSound.blob)
      isSoundLoaded = true
    } catch (error) {
      if (!ownScope.signal.aborted) throw error
    }
  }

  return {
    element: audioElement,
    /** The gain of this sound during a crossfade, relative to the player's volume. */
    gain: 1,
    /** The id of the sound that is loaded or being loaded. */
    get id() {
      return currentSoundId
    },
    /** Whether the sound has changed since it was loaded. */
    get isOutdated() {
      return isSoundOutdated()
    },
    /** Whether the sound is loaded into the element. */
    get isLoaded() {
      return isSoundLoaded
    },
    /** Whether the element can play without waiting. */
    get canPlay() {
      return isSoundLoaded && audioElement.readyState >= HTMLMediaElement.HAVE_FUTURE_DATA
    },
    /**
     * Loads a sound, replacing any other one and any earlier version of it. Resolves when the sound is loaded into the element, or was unloaded
     * in the meantime.
     */
    load(soundId: string): Promise<void> {
      if (currentSoundId === soundId && !isSoundOutdated()) return loadPromise
      unloadSound()
      currentSoundId = soundId
      currentVersion = getSoundVersion(soundId)
      loadPromise = openInElement(soundId)
      return loadPromise
    },
    unload: unloadSound,
  }
}

export type AudioSlot = ReturnType<typeof createAudioSlot>
