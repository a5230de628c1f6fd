import type { PointerEvent as ReactPointerEvent } from 'react'

/** Handles a pointerdown of the main button: calls `onMove` for it and for every move until the button is released. */
export function followPointer(press: ReactPointerEvent<HTMLElement>, onMove: (event: { clientX: number }) => void): void {
  if (press.button !== 0 || !press.isPrimary) return
  const { pointerId } = press
  const element: HTMLElement = press.currentTarget
  element.setPointerCapture(pointerId)
  onMove(press)
  const abortController = new AbortController()
  const { signal } = abortController
  element.addEventListener('pointermove', (event) => event.pointerId === pointerId && onMove(event), { signal })
  const end = (event: PointerEvent) => event.pointerId === pointerId && abortController.abort()
  element.addEventListener('pointerup', end, { signal })
  element.addEventListener('pointercancel', end, { signal })
}
