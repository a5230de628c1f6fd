import type { PointerEvent as ReactPointerEvent } from 'react'
import { createScope } from '../../primitives/scope.ts'

/** How far a pointer moves, in CSS pixels, until a press becomes a drag. A finger is less steady than a mouse. */
const MOUSE_DRAG_PX = 4
const TOUCH_DRAG_PX = 10

interface DragHandlers {
  /** The button was released without a drag. */
  onPress: () => void
  /** Called for each move of a drag. */
  onDrag: (event: { clientX: number }) => void
  /** The drag has ended. */
  onDrop: () => void
  /** The drag was cancelled: with Escape, or by the browser, which scrolls the page instead. */
  onCancel: () => void
}

/** Handles a pointerdown of the main button: a press if the button is released at its place, else a horizontal drag. */
export function followDrag(press: ReactPointerEvent<HTMLElement>, { onPress, onDrag, onDrop, onCancel }: DragHandlers): void {
  if (press.button !== 0 || !press.isPrimary) return
  const { currentTarget: element, pointerId, pointerType, clientX: pressX } = press
  const minPx = pointerType === 'mouse' ? MOUSE_DRAG_PX : TOUCH_DRAG_PX
  let isDragging = false
  element.setPointerCapture(pointerId)
  const scope = createScope()
  const cancel = () => {
    scope.dispose()
    if (isDragging) onCancel()
  }
  const onMove = (moveEvent: PointerEvent) => {
    if (moveEvent.pointerId !== pointerId) return
    isDragging ||= Math.abs(moveEvent.clientX - pressX) >= minPx
    if (isDragging) onDrag(moveEvent)
  }
  const onUp = (upEvent: PointerEvent) => {
    if (upEvent.pointerId !== pointerId) return
    scope.dispose()
    if (isDragging) onDrop()
    else onPress()
  }
  const onKeyDown = (keyEvent: KeyboardEvent) => {
    if (keyEvent.key !== 'Escape') return
    keyEvent.preventDefault()
    keyEvent.stopPropagation()
    cancel()
  }
  scope.listen(element, 'pointermove', onMove)
  scope.listen(element, 'pointerup', onUp)
  scope.listen(element, 'pointercancel', (event) => event.pointerId === pointerId && cancel())
  // The document receives the event if the element is removed during the drag.
  scope.listen(document, 'lostpointercapture', (event) => event.pointerId === pointerId && cancel())
  scope.listen(window, 'keydown', onKeyDown, { capture: true })
}
