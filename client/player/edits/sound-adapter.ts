import { createCleanupScope } from '../../primitives/scope.ts'
import { createVideoEvents, type VideoAdapter, type VideoFailure } from '../video-adapter.ts'
import { canSetVolume, createAudioPair } from './audio-pair.ts'
import { type AudioSlot, type GetSoundVersion, type OpenSound, SoundUnavailable } from './audio-slot.ts'

/**
 * The longest delay of a timer, used here because there is no time limit: a sound may be rendered for minutes before it starts, and a failed
 * rendering is reported anyway.
 */
const LONGEST_TIMER_MS = 2 ** 31 - 1

interface SoundAdapterDeps {
  readonly openSound: OpenSound
  readonly getSoundVersion: GetSoundVersion
  /** Returns the length of the crossfade between two sounds in seconds; 0 for none. */
  readonly crossfadeSeconds: () => number
}

/** Plays sounds of this device. */
export interface SoundAdapter extends VideoAdapter {
  /** Whether the current sound has changed since it was loaded. The next `play` loads it again and plays it from its start. */
  readonly isOutdated: boolean
  /**
   * Loads the sound that will follow `soundId`, so that it starts without a gap; `undefined` if no next sound is known. The call is ignored
   * while another sound than `soundId` plays.
   */
  prepareAfter(soundId: string | undefined, followingId: string | undefined): void
  /** Allows the elements to play later without a user gesture. WebKit requires that this is called in a user gesture. */
  unlock(): void
}

export function createSoundAdapter({ openSound, getSoundVersion, crossfadeSeconds }: SoundAdapterDeps): SoundAdapter {
  const scope = createCleanupScope()
  const videoEvents = createVideoEvents()
  const audioPair = createAudioPair(openSound, getSoundVersion)
  const canFadeVolume = canSetVolume()
  let error: VideoFailure | undefined
  let startSeconds = 0
  let isPlayWanted = false
  let requestedSoundId: string | undefined
  /** Whether `ended` is being emitted before the end, so that the next sound is faded in. */
  let isEndingEarly = false

  for (const audioSlot of audioPair.slots) {
    const addCurrentSlotListener = (
      eventType: 'durationchange' | 'waiting' | 'ended' | 'timeupdate' | 'playing' | 'pause' | 'error',
      listener: () => void,
    ) =>
      scope.listen(audioSlot.element, eventType, () => {
        if (audioSlot === audioPair.current && audioSlot.isLoaded) listener()
      })
    for (const type of ['durationchange', 'waiting', 'ended'] as const) addCurrentSlotListener(type, () => videoEvents.emit(type))
    addCurrentSlotListener('timeupdate', () => {
      videoEvents.emit('timeupdate')
      endSoundIfCrossfadeDue(audioSlot)
    })
    addCurrentSlotListener('playing', () => {
      if (audioSlot.element.paused) return
      videoEvents.emit('durationchange')
      videoEvents.emit('playing')
    })
    addCurrentSlotListener('pause', () => {
      // A media element fires `pause` before `ended`.
      if (!audioSlot.element.ended) videoEvents.emit('pause')
    })
    addCurrentSlotListener('error', () => failWith(new SoundUnavailable('unplayable')))
  }

  function failWith(cause: unknown) {
    audioPair.current.unload()
    error = { kind: 'video', code: (cause instanceof SoundUnavailable ? cause : new SoundUnavailable('unplayable')).code }
    videoEvents.emit('error')
  }

  async function startSound(slot: AudioSlot, soundId: string) {
    try {
      await slot.load(soundId)
      if (slot !== audioPair.current || slot.id !== soundId || !slot.isLoaded) return
      slot.element.currentTime = startSeconds
      if (isPlayWanted) playElement(slot)
    } catch (cause) {
      if (slot === audioPair.current && slot.id === soundId) failWith(cause)
    }
  }

  function playElement(slot: AudioSlot) {
    slot.element.play().catch((reason: unknown) => {
      if (slot === audioPair.current && isPlayWanted && reason instanceof DOMException && reason.name === 'NotAllowedError')
        videoEvents.emit('blocked')
    })
  }

  /** Emits `ended` when the crossfade to the next sound is due. */
  function endSoundIfCrossfadeDue({ element }: AudioSlot) {
    const fadeSeconds = Math.min(crossfadeSeconds(), element.duration / 2)
    if (
      !canFadeVolume ||
      !isPlayWanted ||
      !audioPair.isNextReady ||
      !(fadeSeconds > 0 && element.duration - element.currentTime <= fadeSeconds)
    )
      return
    isEndingEarly = true
    videoEvents.emit('ended')
    // If no listener has started another sound, this sound has ended.
    if (isEndingEarly) element.pause()
    isEndingEarly = false
  }

  return {
    on: videoEvents.on,
    get currentTime() {
      return audioPair.current.isLoaded ? audioPair.current.element.currentTime : startSeconds
    },
    set currentTime(positionSeconds) {
      isEndingEarly = false
      startSeconds = positionSeconds
      if (audioPair.current.isLoaded) audioPair.current.element.currentTime = positionSeconds
      videoEvents.emit('timeupdate')
    },
    get duration() {
      return (audioPair.current.isLoaded && audioPair.current.element.duration) || 0
    },
    get paused() {
      return audioPair.current.element.paused
    },
    get volume() {
      return audioPair.volume
    },
    set volume(value) {
      audioPair.volume = value
    },
    get muted() {
      return audioPair.muted
    },
    set muted(value) {
      audioPair.muted = value
    },
    get playbackRate() {
      return audioPair.current.element.playbackRate
    },
    set playbackRate(rate) {
      audioPair.current.element.playbackRate = rate
    },
    get error() {
      return error
    },
    // A sound has no video frame that could be ready.
    ready: false,
    online: true,
    startTimeoutMs: LONGEST_TIMER_MS,
    load(soundId, fromSeconds) {
      error = undefined
      isPlayWanted = true
      startSeconds = fromSeconds
      requestedSoundId = soundId
      const { duration, currentTime } = audioPair.current.element
      const slot = audioPair.switchTo(soundId, isEndingEarly ? duration - currentTime : 0)
      isEndingEarly = false
      void startSound(slot, soundId)
    },
    play() {
      isPlayWanted = true
      const { current } = audioPair
      if (current.isOutdated) startSeconds = 0
      else if (current.isLoaded) return playElement(current)
      if (requestedSoundId !== undefined && (current.id === undefined || current.isOutdated)) void startSound(current, requestedSoundId)
    },
    pause() {
      isPlayWanted = false
      audioPair.endFade()
      audioPair.current.element.pause()
    },
    attach() {},
    get isOutdated() {
      return audioPair.current.isOutdated
    },
    prepareAfter(soundId, followingId) {
      if (soundId === requestedSoundId) audioPair.prepare(followingId)
    },
    unlock() {
      for (const { element, id } of audioPair.slots) if (id === undefined) element.load()
    },
    close() {
      isPlayWanted = false
      audioPair.unload()
      scope.dispose()
    },
  }
}
