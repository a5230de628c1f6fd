import { createEmitter } from '../../primitives/emitter.ts'
import type { RadioPlayer } from './radio-player-interface.ts'

// The radio of a page outlives the route that shows it: it continues to play in the dock while the person visits other pages.

let pageRadio: RadioPlayer | undefined
let unsubscribeFromRadio = () => {}
let placeholderElement: HTMLElement | undefined
const radioChanges = createEmitter()

/** The radio of this page; `undefined` before a widget was shown, and once the radio was closed. */
export const getPageRadio = (): RadioPlayer | undefined => pageRadio
/** The element of the current page that shows the radio's video. */
export const getRadioPlaceholder = (): HTMLElement | undefined => placeholderElement
/** Whether the radio was started and the current page does not show it, so that the dock shows it. */
export const isRadioDocked = (): boolean =>
  pageRadio !== undefined && placeholderElement === undefined && pageRadio.getSnapshot().status !== 'silent'
/** Calls `listener` when the radio of the page, its state, or the element for its video changes. */
export const subscribePageRadio = radioChanges.subscribe

/** Returns the radio of this page; creates it with `createRadio` if there is none. */
export function openPageRadio(createRadio: () => RadioPlayer): RadioPlayer {
  if (pageRadio) return pageRadio
  pageRadio = createRadio()
  unsubscribeFromRadio = pageRadio.subscribe(radioChanges.emit)
  radioChanges.emit()
  return pageRadio
}

/** Stops the radio, and removes it from the page. */
export function closePageRadio(): void {
  unsubscribeFromRadio()
  pageRadio?.close()
  pageRadio = undefined
  radioChanges.emit()
}

/**
 * Sets the element over which the radio's video is positioned. Returns the function that unsets the element, and closes the radio if it is
 * not playing.
 */
export function setRadioPlaceholder(element: HTMLElement): () => void {
  placeholderElement = element
  radioChanges.emit()
  return () => {
    if (placeholderElement !== element) return
    placeholderElement = undefined
    if (pageRadio?.getSnapshot().canPause) radioChanges.emit()
    else closePageRadio()
  }
}
