import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'

interface Popover<Button extends HTMLElement, Panel extends HTMLElement> {
  button: RefObject<Button | null>
  panel: RefObject<Panel | null>
  open: boolean
  /** Opens or closes; `focus` puts the focus on the panel's first or last item. */
  show(focus?: 'first' | 'last'): void
  hide(): void
  toggle(): void
  /** Moves the focus among the panel's items: give it the panel's key events. */
  moveFocus(event: React.KeyboardEvent): void
}

const GAP_PX = 8
const MARGIN_PX = 8
const itemSelector = 'a[href], button:not(:disabled)'

/**
 * A panel in the top layer that belongs to a button. The platform closes it on Escape, on a press outside and when
 * another one opens; this places it below (or above) its button and moves the focus.
 */
export function usePopover<Button extends HTMLElement, Panel extends HTMLElement>(
  align: 'start' | 'end' = 'start',
): Popover<Button, Panel> {
  const button = useRef<Button>(null)
  const panel = useRef<Panel>(null)
  const [open, setOpen] = useState(false)
  /** A press on the button is one outside of the panel, so the platform closes it: the click that follows must not open it again. */
  const openAtPress = useRef(false)

  const place = useCallback(() => {
    if (!button.current || !panel.current) return
    const from = button.current.getBoundingClientRect()
    const { offsetWidth: width, offsetHeight: height } = panel.current
    const left = align === 'start' ? from.left : from.right - width
    const below = from.bottom + GAP_PX
    const fitsBelow = below + height <= innerHeight - MARGIN_PX || from.top < height
    panel.current.style.left = `${Math.max(MARGIN_PX, Math.min(left, document.documentElement.clientWidth - width - MARGIN_PX))}px`
    panel.current.style.top = `${fitsBelow ? below : from.top - GAP_PX - height}px`
  }, [align])

  // With the commit itself: the press that made React take the page over opens the panel right after.
  useLayoutEffect(() => {
    const element = panel.current
    if (!element) return
    const onToggle = (event: Event) => {
      const isOpen = event instanceof ToggleEvent && event.newState === 'open'
      // The panel's items must stand before it is measured and before one of them takes the focus.
      if (isOpen) flushSync(() => setOpen(true))
      else setOpen(false)
    }
    const onPress = () => {
      openAtPress.current = element.matches(':popover-open')
    }
    const opener = button.current
    element.addEventListener('beforetoggle', onToggle)
    opener?.addEventListener('pointerdown', onPress)
    return () => {
      element.removeEventListener('beforetoggle', onToggle)
      opener?.removeEventListener('pointerdown', onPress)
    }
  }, [])

  useEffect(() => {
    if (!open) return
    place()
    addEventListener('resize', place)
    addEventListener('scroll', place, { passive: true, capture: true })
    return () => {
      removeEventListener('resize', place)
      removeEventListener('scroll', place, { capture: true })
    }
  }, [open, place])

  const items = () => [...(panel.current?.querySelectorAll<HTMLElement>(itemSelector) ?? [])]
  const show = (focus?: 'first' | 'last') => {
    if (!panel.current?.matches(':popover-open')) panel.current?.showPopover()
    place()
    if (focus)
      items()
        .at(focus === 'first' ? 0 : -1)
        ?.focus()
  }
  const hide = () => {
    if (panel.current?.matches(':popover-open')) panel.current.hidePopover()
  }

  return {
    button,
    panel,
    open,
    show,
    hide,
    toggle: () => {
      if (openAtPress.current || panel.current?.matches(':popover-open')) hide()
      else show()
      openAtPress.current = false
    },
    moveFocus: (event) => {
      const list = items()
      const at = document.activeElement instanceof HTMLElement ? list.indexOf(document.activeElement) : -1
      const target = { ArrowDown: (at + 1) % list.length, ArrowUp: at <= 0 ? list.length - 1 : at - 1, Home: 0, End: list.length - 1 }[
        event.key
      ]
      if (target === undefined) return
      event.preventDefault()
      list[target]?.focus()
    },
  }
}
