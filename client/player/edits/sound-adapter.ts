import { createScope } from '../../primitives/scope.ts'
import { createVideoEvents, type VideoAdapter, type VideoFailure } from '../video-adapter.ts'
import { canSetVolume, createAudioPair } from './audio-pair.ts'
import { type AudioSlot, type OpenSound, SoundUnavailable } from './audio-slot.ts'

/**
 * The longest delay of a timer, used here because there is no time limit: a sound may be rendered for minutes before it starts, and a failed
 * rendering is reported anyway.
 */
const NEVER_MS = 2 ** 31 - 1

interface SoundAdapterDeps {
  readonly openSound: OpenSound
  /** Returns the length of the crossfade between two sounds in seconds; 0 for none. */
  readonly crossfadeSeconds: () => number
}

/** Plays sounds of this device. */
export interface SoundAdapter extends VideoAdapter {
  /**
   * Loads the sound that will follow `soundId`, so that it starts without a gap; `undefined` if no next sound is known. The call is ignored
   * while another sound than `soundId` plays.
   */
  prepareAfter(soundId: string | undefined, followingId: string | undefined): void
  /** Allows the elements to play later without a user gesture. WebKit requires that this is called in a user gesture. */
  unlock(): void
}

export function createSoundAdapter({ openSound, crossfadeSeconds }: SoundAdapterDeps): SoundAdapter {
  const scope = createScope()
  const events = createVideoEvents()
  const pair = createAudioPair(openSound)
  const canFade = canSetVolume()
  let error: VideoFailure | undefined
  let startSeconds = 0
  let isPlayWanted = false
  let requestedId: string | undefined
  /** Whether `ended` is being emitted before the end, so that the next sound is faded in. */
  let isEndingEarly = false

  for (const slot of pair.slots) {
    const whileCurrent = (
      type: 'durationchange' | 'waiting' | 'ended' | 'timeupdate' | 'playing' | 'pause' | 'error',
      listener: () => void,
    ) =>
      scope.listen(slot.element, type, () => {
        if (slot === pair.current && slot.isLoaded) listener()
      })
    for (const type of ['durationchange', 'waiting', 'ended'] as const) whileCurrent(type, () => events.emit(type))
    whileCurrent('timeupdate', () => {
      events.emit('timeupdate')
      endEarlyIfDue(slot)
    })
    whileCurrent('playing', () => {
      if (slot.element.paused) return
      events.emit('durationchange')
      events.emit('playing')
    })
    whileCurrent('pause', () => {
      // A media element fires `pause` before `ended`.
      if (!slot.element.ended) events.emit('pause')
    })
    whileCurrent('error', () => failWith(new SoundUnavailable('unplayable')))
  }

  function failWith(cause: unknown) {
    pair.current.unload()
    error = { kind: 'video', code: (cause instanceof SoundUnavailable ? cause : new SoundUnavailable('unplayable')).code }
    events.emit('error')
  }

  async function start(slot: AudioSlot, soundId: string) {
    try {
      await slot.load(soundId)
      if (slot !== pair.current || slot.id !== soundId || !slot.isLoaded) return
      slot.element.currentTime = startSeconds
      if (isPlayWanted) playElement(slot)
    } catch (cause) {
      if (slot === pair.current && slot.id === soundId) failWith(cause)
    }
  }

  function playElement(slot: AudioSlot) {
    slot.element.play().catch((reason: unknown) => {
      if (slot === pair.current && isPlayWanted && reason instanceof DOMException && reason.name === 'NotAllowedError')
        events.emit('blocked')
    })
  }

  /** Emits `ended` when the crossfade to the next sound is due. */
  function endEarlyIfDue({ element }: AudioSlot) {
    const seconds = Math.min(crossfadeSeconds(), element.duration / 2)
    if (!canFade || !isPlayWanted || !pair.isNextReady || !(seconds > 0 && element.duration - element.currentTime <= seconds)) return
    isEndingEarly = true
    events.emit('ended')
    // If no listener has started another sound, this sound has ended.
    if (isEndingEarly) element.pause()
    isEndingEarly = false
  }

  return {
    on: events.on,
    get currentTime() {
      return pair.current.isLoaded ? pair.current.element.currentTime : startSeconds
    },
    set currentTime(seconds) {
      isEndingEarly = false
      startSeconds = seconds
      if (pair.current.isLoaded) pair.current.element.currentTime = seconds
      events.emit('timeupdate')
    },
    get duration() {
      return (pair.current.isLoaded && pair.current.element.duration) || 0
    },
    get paused() {
      return pair.current.element.paused
    },
    get volume() {
      return pair.volume
    },
    set volume(value) {
      pair.volume = value
    },
    get muted() {
      return pair.muted
    },
    set muted(value) {
      pair.muted = value
    },
    get playbackRate() {
      return pair.current.element.playbackRate
    },
    set playbackRate(rate) {
      pair.current.element.playbackRate = rate
    },
    get error() {
      return error
    },
    // A sound has no video frame that could be ready.
    ready: false,
    online: true,
    startTimeoutMs: NEVER_MS,
    load(soundId, fromSeconds) {
      error = undefined
      isPlayWanted = true
      startSeconds = fromSeconds
      requestedId = soundId
      const { duration, currentTime } = pair.current.element
      const slot = pair.switchTo(soundId, isEndingEarly ? duration - currentTime : 0)
      isEndingEarly = false
      void start(slot, soundId)
    },
    play() {
      isPlayWanted = true
      if (pair.current.isLoaded) playElement(pair.current)
      else if (pair.current.id === undefined && requestedId !== undefined) void start(pair.current, requestedId)
    },
    pause() {
      isPlayWanted = false
      pair.endFade()
      pair.current.element.pause()
    },
    attach() {},
    prepareAfter(soundId, followingId) {
      if (soundId === requestedId) pair.prepare(followingId)
    },
    unlock() {
      for (const { element, id } of pair.slots) if (id === undefined) element.load()
    },
    close() {
      isPlayWanted = false
      pair.unload()
      scope.dispose()
    },
  }
}
