import type { PointerEvent as ReactPointerEvent } from 'react'
import { createScope, type Scope } from '../../primitives/scope.ts'

/** How far a pointer moves, in CSS pixels, until a press becomes a drag. A finger is less steady than a mouse. */
const MOUSE_DRAG_PX = 4
const TOUCH_DRAG_PX = 10

interface PointerHandlers {
  onMove: (event: { clientX: number }) => void
  onUp?: () => void
  /** The browser cancelled the press, for example because it scrolls the page instead. */
  onCancel?: () => void
}

/**
 * Follows the pointer of a pointerdown of the main button until the button is released. Returns the scope of its listeners, which is disposed at the
 * end; `undefined` for another button.
 */
export function followPointer(
  press: ReactPointerEvent<HTMLElement>,
  { onMove, onUp = () => {}, onCancel = () => {} }: PointerHandlers,
): Scope | undefined {
  if (press.button !== 0 || !press.isPrimary) return undefined
  const { currentTarget: element, pointerId } = press
  element.setPointerCapture(pointerId)
  const scope = createScope()
  const endWith = (handleEnd: () => void) => (event: PointerEvent) => {
    if (event.pointerId !== pointerId) return
    scope.dispose()
    handleEnd()
  }
  scope.listen(element, 'pointermove', (event) => event.pointerId === pointerId && onMove(event))
  scope.listen(element, 'pointerup', endWith(onUp))
  scope.listen(element, 'pointercancel', endWith(onCancel))
  // The document receives the event if the element is removed while the pointer is followed.
  scope.listen(document, 'lostpointercapture', endWith(onCancel))
  return scope
}

interface DragHandlers {
  /** The button was released without a drag. */
  onPress: () => void
  onDrag: (event: { clientX: number }) => void
  onDrop: () => void
  /** The drag was cancelled: with Escape, or by the browser, which scrolls the page instead. */
  onCancel: () => void
}

/** Handles a pointerdown of the main button: a press if the button is released at its place, else a horizontal drag. */
export function followDrag(press: ReactPointerEvent<HTMLElement>, { onPress, onDrag, onDrop, onCancel }: DragHandlers): void {
  const { pointerType, clientX: pressX } = press
  const minPx = pointerType === 'mouse' ? MOUSE_DRAG_PX : TOUCH_DRAG_PX
  let isDragging = false
  const cancel = () => {
    if (isDragging) onCancel()
  }
  const scope = followPointer(press, {
    onMove(event) {
      isDragging ||= Math.abs(event.clientX - pressX) >= minPx
      if (isDragging) onDrag(event)
    },
    onUp: () => (isDragging ? onDrop() : onPress()),
    onCancel: cancel,
  })
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.preventDefault()
    event.stopPropagation()
    scope?.dispose()
    cancel()
  }
  scope?.listen(window, 'keydown', onKeyDown, { capture: true })
}
