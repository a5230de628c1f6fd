import { type PointerEvent, type RefObject, useRef, useState } from 'react'

export interface GripProps {
  onPointerDown(event: PointerEvent<HTMLElement>): void
  onPointerMove(event: PointerEvent<HTMLElement>): void
  onPointerUp(event: PointerEvent<HTMLElement>): void
  onPointerCancel(event: PointerEvent<HTMLElement>): void
}

interface DragState {
  from: number
  to: number
  /** The vertical distance in pixels between the pointer and the start of the drag. */
  offsetPx: number
}

export interface DragOrder {
  list: RefObject<HTMLOListElement | null>
  from: number | undefined
  offsetOf(index: number): number
  gripProps(index: number): GripProps
}

/**
 * Reorders rows of about equal height by dragging. Each row has the attribute `data-drag-index`. During the drag, the rows between the old
 * and the new place are shifted. At the end of the drag, `onMove` is called once.
 */
export function useDragToReorder(rowCount: number, onMove: (from: number, to: number) => void): DragOrder {
  const listElement = useRef<HTMLOListElement>(null)
  const [currentDrag, setDrag] = useState<DragState>()
  const dragStart = useRef({ y: 0, rowHeight: 1 })

  const endDrag = (event: PointerEvent<HTMLElement>, isCompleted: boolean) => {
    if (!currentDrag) return
    if (event.currentTarget.hasPointerCapture(event.pointerId)) event.currentTarget.releasePointerCapture(event.pointerId)
    setDrag(undefined)
    if (isCompleted && currentDrag.to !== currentDrag.from) onMove(currentDrag.from, currentDrag.to)
  }

  return {
    list: listElement,
    from: currentDrag?.from,
    offsetOf(index) {
      if (!currentDrag) return 0
      if (index === currentDrag.from) return currentDrag.offsetPx
      const { rowHeight } = dragStart.current
      if (index > currentDrag.from && index <= currentDrag.to) return -rowHeight
      return index < currentDrag.from && index >= currentDrag.to ? rowHeight : 0
    },
    gripProps: (index) => ({
      onPointerDown(event) {
        if (event.button !== 0) return
        event.currentTarget.setPointerCapture(event.pointerId)
        const row = listElement.current?.querySelector(`[data-drag-index="${index}"]`)
        dragStart.current = { y: event.clientY, rowHeight: row?.getBoundingClientRect().height || 1 }
        setDrag({ from: index, to: index, offsetPx: 0 })
      },
      onPointerMove(event) {
        if (!currentDrag) return
        const { y, rowHeight } = dragStart.current
        const offsetPx = Math.max(-currentDrag.from * rowHeight, Math.min((rowCount - 1 - currentDrag.from) * rowHeight, event.clientY - y))
        setDrag({ from: currentDrag.from, to: currentDrag.from + Math.round(offsetPx / rowHeight), offsetPx })
      },
      onPointerUp: (event) => endDrag(event, true),
      onPointerCancel: (event) => endDrag(event, false),
    }),
  }
}
