import { type PointerEvent, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { addListener } from '../primitives/scope.ts'

export interface GripProps {
  onPointerDown(event: PointerEvent<HTMLElement>): void
  onPointerMove(event: PointerEvent<HTMLElement>): void
  onPointerUp(event: PointerEvent<HTMLElement>): void
}

interface DragState {
  /** The value of the dragged row. */
  row: unknown
  fromIndex: number
  toIndex: number
  /** The vertical distance in pixels of the row from its place in the list. */
  offsetPx: number
}

export interface DragOrder {
  list: RefObject<HTMLOListElement | null>
  draggedIndex: number | undefined
  computeOffsetPx(index: number): number
  createGripProps(index: number): GripProps
}

/**
 * Reorders rows of about equal height by dragging. `rows` has a value for each row that stays the same while the row does. Each row has the attribute
 * `data-drag-index`; the dragged row must stay rendered. During the drag, the rows between the old and the new place are shifted, and the list scrolls
 * while the pointer is near an edge. At the end of the drag, `onMove` is called once. A drag moves nothing if the list has changed in the meantime so
 * that another row is in the place of the dragged one.
 */
export function useDragToReorder(rows: readonly unknown[], onMove: (from: number, to: number) => void): DragOrder {
  const listElement = useRef<HTMLOListElement>(null)
  const [currentDrag, setCurrentDrag] = useState<DragState>()
  if (currentDrag && currentDrag.row !== rows[currentDrag.fromIndex]) setCurrentDrag(undefined)
  const fromIndex = currentDrag?.fromIndex
  const pointer = useRef({ y: 0, startY: 0, startListTop: 0, rowHeight: 1 })
  const readListTop = () => listElement.current?.getBoundingClientRect().top ?? 0

  /** Moves the dragged row to the pointer. Returns its new place, and whether an end of the list holds it back. */
  const moveRow = (index: number) => {
    const { y, startY, startListTop, rowHeight } = pointer.current
    // The list may have been scrolled below the pointer.
    const movedPx = y - startY - readListTop() + startListTop
    const offsetPx = Math.max(-index * rowHeight, Math.min((rows.length - 1 - index) * rowHeight, movedPx))
    const toIndex = index + Math.round(offsetPx / rowHeight)
    setCurrentDrag((drag) => (drag?.offsetPx === offsetPx ? drag : { row: rows[index], fromIndex: index, toIndex, offsetPx }))
    return { toIndex, isHeldBack: offsetPx !== movedPx }
  }

  const moveRowInFrame = useEffectEvent(() => fromIndex !== undefined && moveRow(fromIndex).isHeldBack)
  useEffect(() => {
    const list = listElement.current
    if (fromIndex === undefined || !list) return
    const drag = new AbortController()
    import('./scroll-during-drag.ts').then(
      ({ scrollDuringDrag }) => scrollDuringDrag(list, pointer.current, () => moveRowInFrame(), drag.signal),
      // Without its program, the list can be scrolled by other means.
      () => undefined,
    )
    // The last event of a pointer. It is dispatched to the document if the row was removed.
    addListener(document, 'lostpointercapture', () => setCurrentDrag(undefined), drag)
    return () => drag.abort()
  }, [fromIndex])

  return {
    list: listElement,
    draggedIndex: fromIndex,
    computeOffsetPx(index) {
      if (!currentDrag) return 0
      if (index === fromIndex) return currentDrag.offsetPx
      const placesFromStart = index - currentDrag.fromIndex
      const isPassed = placesFromStart * (index - currentDrag.toIndex) <= 0
      return isPassed ? -Math.sign(placesFromStart) * pointer.current.rowHeight : 0
    },
    createGripProps: (index) => ({
      onPointerDown(event) {
        if (event.button !== 0) return
        event.currentTarget.setPointerCapture(event.pointerId)
        const row = listElement.current?.querySelector(`[data-drag-index="${index}"]`)
        const rowHeight = row?.getBoundingClientRect().height || 1
        Object.assign(pointer.current, { y: event.clientY, startY: event.clientY, startListTop: readListTop(), rowHeight })
        moveRow(index)
      },
      onPointerMove(event) {
        pointer.current.y = event.clientY
        if (fromIndex !== undefined) moveRow(fromIndex)
      },
      onPointerUp() {
        if (fromIndex === undefined) return
        const { toIndex } = moveRow(fromIndex)
        setCurrentDrag(undefined)
        if (toIndex !== fromIndex) onMove(fromIndex, toIndex)
      },
    }),
  }
}
