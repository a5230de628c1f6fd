import { useSyncExternalStore } from 'react'
import {
  closePageRadio,
  getPageRadio,
  getRadioPlace,
  isRadioDocked,
  setRadioPlace,
  subscribePageRadio,
} from '../player/radio/page-radio.ts'
import type { RadioPlayer } from '../player/radio/radio-player-interface.ts'

const nothing = () => undefined

/** Returns the radio that plays above the routes; `undefined` while the page has none. */
export const usePageRadio = (): RadioPlayer | undefined => useSyncExternalStore(subscribePageRadio, getPageRadio, nothing)

/** Returns the element of the current page that shows the radio's video. */
export const useRadioVideoPlace = (): HTMLElement | undefined => useSyncExternalStore(subscribePageRadio, getRadioPlace, nothing)

/** The ref of the element that the radio's video is laid over. */
export const radioVideoPlaceRef = (element: HTMLElement | null): (() => void) | undefined => (element ? setRadioPlace(element) : undefined)

/** Whether the radio is in the dock. */
export const useIsRadioDocked = (): boolean => useSyncExternalStore(subscribePageRadio, isRadioDocked, () => false)

/** Stops the radio of the page and removes its video. */
export const stopPageRadio = (): void => closePageRadio()
