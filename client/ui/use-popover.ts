import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { createScope } from '../primitives/scope.ts'

interface Popover<Button extends HTMLElement, Panel extends HTMLElement> {
  button: RefObject<Button | null>
  panel: RefObject<Panel | null>
  open: boolean
  /** Opens the panel. `focus` moves the focus to its first or last item. */
  show(focus?: 'first' | 'last'): void
  hide(): void
  toggle(): void
  /** Key event handler of the panel: moves the focus among the items with arrow keys, Home and End. */
  moveFocus(event: React.KeyboardEvent): void
}

const GAP_PX = 8
const MARGIN_PX = 8
const itemSelector = 'a[href], button:not(:disabled)'

/**
 * State of a `popover="auto"` panel that belongs to a button. The browser closes the panel on Escape, on a press outside and
 * when another popover opens; this hook positions the panel below (or above) the button and moves the focus.
 */
export function usePopover<Button extends HTMLElement, Panel extends HTMLElement>(
  align: 'start' | 'end' = 'start',
): Popover<Button, Panel> {
  const button = useRef<Button>(null)
  const panel = useRef<Panel>(null)
  const [open, setOpen] = useState(false)
  /** Whether the panel was open on pointerdown. The browser closes the panel on that press, and the following click must not reopen it. */
  const wasOpenOnPress = useRef(false)

  const updatePosition = useCallback(() => {
    if (!button.current || !panel.current) return
    const anchor = button.current.getBoundingClientRect()
    const { offsetWidth: width, offsetHeight: height } = panel.current
    const panelLeft = align === 'start' ? anchor.left : anchor.right - width
    const topBelow = anchor.bottom + GAP_PX
    const fitsBelow = topBelow + height <= innerHeight - MARGIN_PX || anchor.top < height
    panel.current.style.left = `${Math.max(MARGIN_PX, Math.min(panelLeft, document.documentElement.clientWidth - width - MARGIN_PX))}px`
    panel.current.style.top = `${fitsBelow ? topBelow : anchor.top - GAP_PX - height}px`
  }, [align])

  // The listeners are added in a layout effect, because a click that caused React to hydrate this component is dispatched again directly
  // after the commit.
  useLayoutEffect(() => {
    const element = panel.current
    if (!element) return
    // The items are removed only after the panel is closed, because the browser returns the focus to the button only if an item is focused
    // at that time.
    const onToggle = (event: Event) => {
      if (event instanceof ToggleEvent && event.newState === 'closed') setOpen(false)
    }
    const onPress = () => {
      wasOpenOnPress.current = element.matches(':popover-open')
    }
    const scope = createScope()
    scope.listen(element, 'toggle', onToggle)
    if (button.current) scope.listen(button.current, 'pointerdown', onPress)
    return scope.dispose
  }, [])

  useEffect(() => {
    if (!open) return
    updatePosition()
    const scope = createScope()
    scope.listen(window, 'resize', updatePosition)
    scope.listen(window, 'scroll', updatePosition, { passive: true, capture: true })
    return scope.dispose
  }, [open, updatePosition])

  const queryItems = () => [...(panel.current?.querySelectorAll<HTMLElement>(itemSelector) ?? [])]
  const showPanel = (focus?: 'first' | 'last') => {
    // The items must be rendered before the panel is measured and before one of them is focused. They are rendered before the panel is shown, because
    // React may then render a toast, too, and no other popover can be shown while one is being shown.
    flushSync(() => setOpen(true))
    if (!panel.current?.matches(':popover-open')) panel.current?.showPopover()
    updatePosition()
    if (focus)
      queryItems()
        .at(focus === 'first' ? 0 : -1)
        ?.focus()
  }
  const hidePanel = () => {
    if (panel.current?.matches(':popover-open')) panel.current.hidePopover()
  }

  return {
    button,
    panel,
    open,
    show: showPanel,
    hide: hidePanel,
    toggle: () => {
      if (wasOpenOnPress.current || panel.current?.matches(':popover-open')) hidePanel()
      else showPanel()
      wasOpenOnPress.current = false
    },
    moveFocus: (event) => {
      const menuItems = queryItems()
      const focusedIndex = document.activeElement instanceof HTMLElement ? menuItems.indexOf(document.activeElement) : -1
      const targetIndex = {
        ArrowDown: (focusedIndex + 1) % menuItems.length,
        ArrowUp: focusedIndex <= 0 ? menuItems.length - 1 : focusedIndex - 1,
        Home: 0,
        End: menuItems.length - 1,
      }[event.key]
      if (targetIndex === undefined) return
      event.preventDefault()
      menuItems[targetIndex]?.focus()
    },
  }
}
