import type { PointerEvent as ReactPointerEvent } from 'react'
import { createCleanupScope, type Scope } from '../../primitives/scope.ts'

/** How far a pointer moves, in CSS pixels, until a press becomes a drag. A finger is less steady than a mouse. */
const MOUSE_DRAG_START_PX = 4
const TOUCH_DRAG_START_PX = 10

interface PointerHandlers {
  onMove: (event: { clientX: number }) => void
  onUp?: () => void
  /** The browser cancelled the press, for example because it scrolls the page instead. */
  onCancel?: () => void
}

/**
 * Follows a pressed pointer until its main button is released. Returns the scope that owns the listeners and is disposed at the end;
 * `undefined` if another button was pressed.
 */
export function followPointer(
  pressEvent: ReactPointerEvent<HTMLElement>,
  { onMove, onUp = () => {}, onCancel = () => {} }: PointerHandlers,
): Scope | undefined {
  if (pressEvent.button !== 0 || !pressEvent.isPrimary) return undefined
  const { currentTarget: pressedElement, pointerId } = pressEvent
  pressedElement.setPointerCapture(pointerId)
  const scope = createCleanupScope()
  const createEndListener = (handleEnd: () => void) => (event: PointerEvent) => {
    if (event.pointerId !== pointerId) return
    scope.dispose()
    handleEnd()
  }
  scope.listen(pressedElement, 'pointermove', (event) => event.pointerId === pointerId && onMove(event))
  scope.listen(pressedElement, 'pointerup', createEndListener(onUp))
  scope.listen(pressedElement, 'pointercancel', createEndListener(onCancel))
  // If the element is removed during the drag, the event is fired at the document.
  scope.listen(document, 'lostpointercapture', createEndListener(onCancel))
  return scope
}

interface DragHandlers {
  /** The button was released without a drag. */
  onPress: () => void
  onDrag: (event: { clientX: number }) => void
  onDrop: () => void
  /** The drag was cancelled: by the Escape key, or by the browser, because it scrolls the page instead. */
  onCancel: () => void
}

/**
 * Handles a pointerdown of the main button: calls `onPress` if the pointer has hardly moved when the button is released; otherwise follows
 * a horizontal drag.
 */
export function followDrag(pressEvent: ReactPointerEvent<HTMLElement>, { onPress, onDrag, onDrop, onCancel }: DragHandlers): void {
  const { pointerType, clientX: pressX } = pressEvent
  const dragStartPx = pointerType === 'mouse' ? MOUSE_DRAG_START_PX : TOUCH_DRAG_START_PX
  let isDragging = false
  const cancelDrag = () => {
    if (isDragging) onCancel()
  }
  const pointerScope = followPointer(pressEvent, {
    onMove(event) {
      isDragging ||= Math.abs(event.clientX - pressX) >= dragStartPx
      if (isDragging) onDrag(event)
    },
    onUp: () => (isDragging ? onDrop() : onPress()),
    onCancel: cancelDrag,
  })
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.preventDefault()
    event.stopPropagation()
    pointerScope?.dispose()
    cancelDrag()
  }
  pointerScope?.listen(window, 'keydown', onKeyDown, { capture: true })
}
