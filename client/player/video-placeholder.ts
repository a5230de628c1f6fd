import { createEmitter } from '../primitives/emitter.ts'

let placeholderElement: HTMLElement | undefined
let isPlaceholderInView = true
const placeholderChanges = createEmitter()

/** Returns the element over which the video's frame is positioned, or undefined if the current page shows none in the viewport. */
export const getVideoPlaceholder = (): HTMLElement | undefined => (isPlaceholderInView ? placeholderElement : undefined)

/** Whether the page has an element for the video's frame, in the viewport or not. */
export const hasVideoPlaceholder = (): boolean => placeholderElement !== undefined

export const subscribeVideoPlaceholder = placeholderChanges.subscribe

/** Sets the element over which the video's frame is positioned; the latest call wins. Returns the function that unsets the element. */
export function setVideoPlaceholder(element: HTMLElement): () => void {
  placeholderElement = element
  isPlaceholderInView = true
  placeholderChanges.emit()
  return () => {
    if (placeholderElement !== element) return
    placeholderElement = undefined
    placeholderChanges.emit()
  }
}

/** Reports whether the element is in the viewport; true until the first report. */
export function setVideoPlaceholderInView(inView: boolean): void {
  isPlaceholderInView = inView
  placeholderChanges.emit()
}
