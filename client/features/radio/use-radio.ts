import { createContext, use, useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import { useBusyWhile } from '../../hooks/update.ts'
import type { RadioPlayer, RadioState } from '../../player/radio/radio-player-interface.ts'
import type { RadioSong } from './last-song.ts'

export type { RadioPlayer, RadioState } from '../../player/radio/radio-player-interface.ts'
export type SongOnAir = NonNullable<RadioState['onAir']>

interface RadioContextValue {
  radio: RadioPlayer
  /** The radio's state with which the server rendered the page, for hydration. */
  initialState: RadioState
  /** The song that this device played last on an earlier visit. */
  lastSong?: RadioSong | undefined
}

/** Provides the radio's player. The value must be the same object for the lifetime of the page. */
export const RadioContext = createContext<RadioContextValue | undefined>(undefined)

function useRadioContext(): RadioContextValue {
  const value = use(RadioContext)
  if (!value) throw new Error('useRadio needs a RadioContext above it.')
  return value
}

export const useRadio = (): RadioPlayer => useRadioContext().radio

/** Returns a value selected from the radio's state. `selectValue` must return a value of the state, not a new object. */
export function useRadioState<T>(selectValue: (state: RadioState) => T): T {
  const { radio, initialState } = useRadioContext()
  return useSyncExternalStore(
    radio.subscribe,
    () => selectValue(radio.getSnapshot()),
    () => selectValue(initialState),
  )
}

/** Calls `listener` with the position in the song on air after each change of the position, without rendering: the listener writes to the DOM. */
export function useRadioPosition(listener: (position: ReturnType<RadioPlayer['position']>) => void): void {
  const { radio } = useRadioContext()
  const callListener = useEffectEvent(listener)
  useEffect(() => {
    const notifyPosition = () => callListener(radio.position())
    notifyPosition()
    const unsubscribeFromState = radio.subscribe(notifyPosition)
    const stopPositionUpdates = radio.onPosition(notifyPosition)
    return () => {
      unsubscribeFromState()
      stopPositionUpdates()
    }
  }, [radio])
}

/** Returns the song that this device played last on an earlier visit, to show when the page is opened offline. */
export const useLastSong = (): RadioSong | undefined => useRadioContext().lastSong

/** Defers updates of the site while the radio plays. */
export const useBusyWhileRadioPlays = (isPlaying: boolean): void => useBusyWhile(isPlaying, 'song')
