import type { PointerEvent as ReactPointerEvent } from 'react'

/** Calls `act` where the main button goes down, and wherever the pointer is dragged to until it is let go. */
export function followPointer(event: ReactPointerEvent<HTMLElement>, act: (event: { clientX: number }) => void): void {
  if (event.button !== 0) return
  const element = event.currentTarget
  element.setPointerCapture(event.pointerId)
  act(event)
  const stop = new AbortController()
  const { signal } = stop
  element.addEventListener('pointermove', act, { signal })
  element.addEventListener('pointerup', () => stop.abort(), { signal })
  element.addEventListener('pointercancel', () => stop.abort(), { signal })
}
