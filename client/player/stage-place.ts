import { createEmitter } from '../primitives/emitter.ts'

let placeholder: HTMLElement | undefined
const changed = createEmitter()

/** Returns the element that the video's frame is laid over, or undefined if the current page shows none. */
export const getStagePlace = (): HTMLElement | undefined => placeholder

export const subscribeStagePlace = changed.subscribe

/** Sets the element that the video's frame is laid over; the latest call wins. Returns the function that unsets the element. */
export function setStagePlace(element: HTMLElement): () => void {
  placeholder = element
  changed.emit()
  return () => {
    if (placeholder !== element) return
    placeholder = undefined
    changed.emit()
  }
}
