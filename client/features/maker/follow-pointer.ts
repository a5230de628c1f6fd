import type { PointerEvent as ReactPointerEvent } from 'react'

/** Handles a pointerdown of the main button: calls `onMove` for it and for every move until the button is released. */
export function followPointer(event: ReactPointerEvent<HTMLElement>, onMove: (event: { clientX: number }) => void): void {
  if (event.button !== 0) return
  const element = event.currentTarget
  element.setPointerCapture(event.pointerId)
  onMove(event)
  const abortController = new AbortController()
  const { signal } = abortController
  element.addEventListener('pointermove', onMove, { signal })
  element.addEventListener('pointerup', () => abortController.abort(), { signal })
  element.addEventListener('pointercancel', () => abortController.abort(), { signal })
}
