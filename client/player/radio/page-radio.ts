import { createEmitter } from '../../primitives/emitter.ts'
import type { RadioPlayer } from './radio-player-interface.ts'

// The radio of a page outlives the route that shows it: it continues to play in the dock while the person visits other pages.

let radio: RadioPlayer | undefined
let stopFollowing = () => {}
let placeholder: HTMLElement | undefined
const radioChanges = createEmitter()

/** The radio of this page; `undefined` before a widget was shown, and once the radio was closed. */
export const getPageRadio = (): RadioPlayer | undefined => radio
/** The element of the current page that shows the radio's video. */
export const getRadioPlaceholder = (): HTMLElement | undefined => placeholder
/** Whether the radio was started and the current page does not show it, so that the dock shows it. */
export const isRadioDocked = (): boolean => radio !== undefined && placeholder === undefined && radio.getSnapshot().status !== 'silent'
/** Calls `listener` when the radio, its place or its state changes. */
export const subscribePageRadio = radioChanges.subscribe

/** Returns the radio of this page; creates it with `create` if there is none. */
export function openPageRadio(create: () => RadioPlayer): RadioPlayer {
  if (radio) return radio
  radio = create()
  stopFollowing = radio.subscribe(radioChanges.emit)
  radioChanges.emit()
  return radio
}

/** Stops the radio, and removes it from the page. */
export function closePageRadio(): void {
  stopFollowing()
  radio?.close()
  radio = undefined
  radioChanges.emit()
}

/**
 * Sets the element over which the radio's video is positioned. Returns the function that unsets the element, and closes the radio if it is
 * not playing.
 */
export function setRadioPlaceholder(element: HTMLElement): () => void {
  placeholder = element
  radioChanges.emit()
  return () => {
    if (placeholder !== element) return
    placeholder = undefined
    if (radio?.getSnapshot().canPause) radioChanges.emit()
    else closePageRadio()
  }
}
