let place: HTMLElement | undefined
const listeners = new Set<() => void>()

/** The box that the video's frame is laid over, if a page shows one. */
export const getStagePlace = (): HTMLElement | undefined => place

export function subscribeStagePlace(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Gives the way to take it away again. The latest one wins. */
export function setStagePlace(element: HTMLElement): () => void {
  place = element
  for (const listener of [...listeners]) listener()
  return () => {
    if (place !== element) return
    place = undefined
    for (const listener of [...listeners]) listener()
  }
}
