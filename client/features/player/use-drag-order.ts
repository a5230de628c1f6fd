import { type PointerEvent, type RefObject, useRef, useState } from 'react'

export interface GripProps {
  onPointerDown(event: PointerEvent<HTMLElement>): void
  onPointerMove(event: PointerEvent<HTMLElement>): void
  onPointerUp(event: PointerEvent<HTMLElement>): void
  onPointerCancel(event: PointerEvent<HTMLElement>): void
}

interface Drag {
  from: number
  to: number
  /** How far the hand has moved, in pixels. */
  offset: number
}

interface DragOrder {
  list: RefObject<HTMLOListElement | null>
  /** The row in hand. */
  from: number | undefined
  offsetOf(index: number): number
  gripProps(index: number): GripProps
}

/**
 * Rows of one height that a hand can put into another order. Rows carry `data-queue-index`. While one is dragged the
 * others give way; `onMove` is called once, when the hand lets go.
 */
export function useDragOrder(count: number, onMove: (from: number, to: number) => void): DragOrder {
  const list = useRef<HTMLOListElement>(null)
  const [drag, setDrag] = useState<Drag>()
  const start = useRef({ y: 0, rowHeight: 1 })

  const end = (event: PointerEvent<HTMLElement>, keep: boolean) => {
    if (!drag) return
    if (event.currentTarget.hasPointerCapture(event.pointerId)) event.currentTarget.releasePointerCapture(event.pointerId)
    setDrag(undefined)
    if (keep && drag.to !== drag.from) onMove(drag.from, drag.to)
  }

  return {
    list,
    from: drag?.from,
    offsetOf(index) {
      if (!drag) return 0
      if (index === drag.from) return drag.offset
      const { rowHeight } = start.current
      if (index > drag.from && index <= drag.to) return -rowHeight
      return index < drag.from && index >= drag.to ? rowHeight : 0
    },
    gripProps: (index) => ({
      onPointerDown(event) {
        if (event.button !== 0) return
        event.currentTarget.setPointerCapture(event.pointerId)
        const row = list.current?.querySelector(`[data-queue-index="${index}"]`)
        start.current = { y: event.clientY, rowHeight: row?.getBoundingClientRect().height || 1 }
        setDrag({ from: index, to: index, offset: 0 })
      },
      onPointerMove(event) {
        if (!drag) return
        const { y, rowHeight } = start.current
        const offset = Math.max(-drag.from * rowHeight, Math.min((count - 1 - drag.from) * rowHeight, event.clientY - y))
        setDrag({ from: drag.from, to: drag.from + Math.round(offset / rowHeight), offset })
      },
      onPointerUp: (event) => end(event, true),
      onPointerCancel: (event) => end(event, false),
    }),
  }
}
