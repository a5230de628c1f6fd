import { flushSync } from 'react-dom'

/** The distance from an edge in pixels at which the scroll begins. */
const EDGE_PX = 64
/** The speed at the edge. */
const MAX_PX_PER_SECOND = 1500
/** The time in milliseconds that counts of a slow frame, so that the list does not jump. */
const FRAME_MAX_MS = 50
/** The distance in pixels that a pressed pointer may move without scrolling. */
const TREMBLE_PX = 4

interface DragPointer {
  /** The pointer's vertical position in the viewport, now and at the start of the drag. */
  y: number
  startY: number
}

/** Returns the element that scrolls an element: a scroll container around it, or the root element for the page. */
function findScroller(element: Element): Element {
  const { parentElement } = element
  if (!parentElement || /auto|scroll/.test(getComputedStyle(element).overflowY)) return element
  return findScroller(parentElement)
}

/**
 * Returns the speed in pixels per second with which the pointer scrolls. It grows towards the edge. The scroll padding is outside of the edges, because
 * bars of the page cover it.
 */
function computeSpeed(scroller: Element, { y, startY }: DragPointer): number {
  if (Math.abs(y - startY) <= TREMBLE_PX) return 0
  const isPage = scroller === document.documentElement
  const { top, bottom } = scroller.getBoundingClientRect()
  const { scrollPaddingTop, scrollPaddingBottom } = getComputedStyle(scroller)
  const pastEdgePx =
    y < startY
      ? (isPage ? 0 : top) + (Number.parseFloat(scrollPaddingTop) || 0) - y
      : y - ((isPage ? innerHeight : bottom) - (Number.parseFloat(scrollPaddingBottom) || 0))
  return Math.sign(y - startY) * Math.max(0, Math.min(1, 1 + pastEdgePx / EDGE_PX)) * MAX_PX_PER_SECOND
}

/**
 * Scrolls a list while the pointer that drags one of its rows is near an edge, until the signal aborts. `moveRow` is called in each animation frame,
 * because the list can be scrolled by other means, too; it moves the row to the pointer, and returns whether the row is held back at an end of the list.
 */
export function scrollDuringDrag(list: Element, pointer: DragPointer, moveRow: () => boolean, signal: AbortSignal): void {
  const scroller = findScroller(list)
  let isHeldBack = false
  let lastFrameMs = performance.now()
  const onFrame = (frameMs: number) => {
    if (signal.aborted) return
    const elapsedMs = Math.max(0, Math.min(FRAME_MAX_MS, frameMs - lastFrameMs))
    const scrolledPx = isHeldBack ? 0 : (computeSpeed(scroller, pointer) * elapsedMs) / 1000
    lastFrameMs = frameMs
    // A smooth scroll would begin again in each frame.
    if (scrolledPx !== 0) scroller.scrollBy({ top: scrolledPx, behavior: 'instant' })
    // The row is rendered in the frame that shows the scroll.
    isHeldBack = flushSync(moveRow)
    requestAnimationFrame(onFrame)
  }
  requestAnimationFrame(onFrame)
}
