import { createScope } from '../../primitives/scope.ts'

/** Opens a sound of this device. Rejects with `SoundUnavailable`, or if `signal` is aborted. */
export type OpenSound = (soundId: string, signal: AbortSignal) => Promise<OpenedSound>

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
  constructor(reason: keyof typeof SOUND_FAILURE_CODES) {
    super(`The sound cannot be played: ${reason}.`)
    this.code = SOUND_FAILURE_CODES[reason]
  }
}

/** Creates an audio element together with functions that load a sound into it. */
export function createAudioSlot(openSound: OpenSound) {
  const element = new Audio()
  element.preload = 'auto'
  let scope = createScope()
  let id: string | undefined
  let loadPromise: Promise<void> = Promise.resolve()
  let isLoaded = false

  function unload() {
    scope.dispose()
    scope = createScope()
    id = undefined
    isLoaded = false
    if (!element.hasAttribute('src')) return
    element.removeAttribute('src')
    element.load()
  }

  async function openInElement(soundId: string) {
    const ownScope = scope
    try {
      const sound = await openSound(soundId, ownScope.signal)
      ownScope.add(sound.release)
      if (ownScope.signal.aborted) return
      element.src = ownScope.objectUrl(sound.blob)
      isLoaded = true
    } catch (error) {
      if (!ownScope.signal.aborted) throw error
    }
  }

  return {
    element,
    /** The gain of this sound during a crossfade, relative to the player's volume. */
    gain: 1,
    /** The id of the sound that is loaded or being loaded. */
    get id() {
      return id
    },
    /** Whether the sound is loaded into the element. */
    get isLoaded() {
      return isLoaded
    },
    /** Whether the element can play without waiting. */
    get canPlay() {
      return isLoaded && element.readyState >= HTMLMediaElement.HAVE_FUTURE_DATA
    },
    /** Loads a sound, replacing any earlier one. Resolves when the sound is loaded into the element, or was unloaded in the meantime. */
    load(soundId: string): Promise<void> {
      if (id === soundId) return loadPromise
      unload()
      id = soundId
      loadPromise = openInElement(soundId)
      return loadPromise
    },
    unload,
  }
}

export type AudioSlot = ReturnType<typeof createAudioSlot>
