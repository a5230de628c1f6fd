import { useSyncExternalStore } from 'react'
import {
  closePageRadio,
  getPageRadio,
  getRadioPlaceholder,
  isRadioDocked,
  setRadioPlaceholder,
  subscribePageRadio,
} from '../player/radio/page-radio.ts'
import type { RadioPlayer } from '../player/radio/radio-player-interface.ts'

const getUndefined = () => undefined

/**
 * Returns the radio player, which keeps playing while the person opens other pages; `undefined` before it is started and after it is
 * stopped.
 */
export const usePageRadio = (): RadioPlayer | undefined => useSyncExternalStore(subscribePageRadio, getPageRadio, getUndefined)

/** Returns the element of the current page over which the radio's video is positioned; `undefined` if the page has none. */
export const useRadioVideoPlace = (): HTMLElement | undefined => useSyncExternalStore(subscribePageRadio, getRadioPlaceholder, getUndefined)

/** The React ref for the element of the page over which the radio's video is positioned. */
export const radioVideoPlaceRef = (element: HTMLElement | null): (() => void) | undefined =>
  element ? setRadioPlaceholder(element) : undefined

/** Returns whether the dock (the player bar below the page) shows the radio, because the current page does not. */
export const useIsRadioDocked = (): boolean => useSyncExternalStore(subscribePageRadio, isRadioDocked, () => false)

/** Stops the radio of the page and removes its video. */
export const stopPageRadio = (): void => closePageRadio()
