import { type PointerEvent, type RefObject, useRef, useState } from 'react'

export interface GripProps {
  onPointerDown(event: PointerEvent<HTMLElement>): void
  onPointerMove(event: PointerEvent<HTMLElement>): void
  onPointerUp(event: PointerEvent<HTMLElement>): void
  onPointerCancel(event: PointerEvent<HTMLElement>): void
}

interface DragState {
  fromIndex: number
  toIndex: number
  /** The vertical distance in pixels between the pointer and the start of the drag. */
  offsetPx: number
}

export interface DragOrder {
  list: RefObject<HTMLOListElement | null>
  draggedIndex: number | undefined
  computeOffsetPx(index: number): number
  createGripProps(index: number): GripProps
}

/**
 * Reorders rows of about equal height by dragging. Each row has the attribute `data-drag-index`. During the drag, the rows between the old
 * and the new place are shifted. At the end of the drag, `onMove` is called once.
 */
export function useDragToReorder(rowCount: number, onMove: (from: number, to: number) => void): DragOrder {
  const listElement = useRef<HTMLOListElement>(null)
  const [currentDrag, setCurrentDrag] = useState<DragState>()
  const dragStart = useRef({ y: 0, rowHeight: 1 })

  const endDrag = (event: PointerEvent<HTMLElement>, isCompleted: boolean) => {
    if (!currentDrag) return
    if (event.currentTarget.hasPointerCapture(event.pointerId)) event.currentTarget.releasePointerCapture(event.pointerId)
    setCurrentDrag(undefined)
    if (isCompleted && currentDrag.toIndex !== currentDrag.fromIndex) onMove(currentDrag.fromIndex, currentDrag.toIndex)
  }

  return {
    list: listElement,
    draggedIndex: currentDrag?.fromIndex,
    computeOffsetPx(index) {
      if (!currentDrag) return 0
      if (index === currentDrag.fromIndex) return currentDrag.offsetPx
      const { rowHeight } = dragStart.current
      if (index > currentDrag.fromIndex && index <= currentDrag.toIndex) return -rowHeight
      return index < currentDrag.fromIndex && index >= currentDrag.toIndex ? rowHeight : 0
    },
    createGripProps: (index) => ({
      onPointerDown(event) {
        if (event.button !== 0) return
        event.currentTarget.setPointerCapture(event.pointerId)
        const row = listElement.current?.querySelector(`[data-drag-index="${index}"]`)
        dragStart.current = { y: event.clientY, rowHeight: row?.getBoundingClientRect().height || 1 }
        setCurrentDrag({ fromIndex: index, toIndex: index, offsetPx: 0 })
      },
      onPointerMove(event) {
        if (!currentDrag) return
        const { y, rowHeight } = dragStart.current
        const offsetPx = Math.max(
          -currentDrag.fromIndex * rowHeight,
          Math.min((rowCount - 1 - currentDrag.fromIndex) * rowHeight, event.clientY - y),
        )
        setCurrentDrag({ fromIndex: currentDrag.fromIndex, toIndex: currentDrag.fromIndex + Math.round(offsetPx / rowHeight), offsetPx })
      },
      onPointerUp: (event) => endDrag(event, true),
      onPointerCancel: (event) => endDrag(event, false),
    }),
  }
}
