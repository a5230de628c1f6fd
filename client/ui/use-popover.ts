import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { createCleanupScope } from '../primitives/scope.ts'

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

const BUTTON_GAP_PX = 8
const VIEWPORT_MARGIN_PX = 8
const itemSelector = 'a[href], button:not(:disabled)'

/**
 * State of a `popover="auto"` panel that belongs to a button. The browser closes the panel on Escape, on a press outside and
 * when another popover opens; this hook positions the panel below (or above) the button and moves the focus.
 */
export function usePopover<Button extends HTMLElement, Panel extends HTMLElement>(
  alignedEdge: 'start' | 'end' = 'start',
): Popover<Button, Panel> {
  const buttonElement = useRef<Button>(null)
  const panelElement = useRef<Panel>(null)
  const [isOpen, setOpen] = useState(false)
  /** Whether the panel was open on pointerdown. The browser closes the panel on that press, and the following click must not reopen it. */
  const wasOpenOnPress = useRef(false)

  const updatePosition = useCallback(() => {
    if (!buttonElement.current || !panelElement.current) return
    const buttonBox = buttonElement.current.getBoundingClientRect()
    const { offsetWidth: width, offsetHeight: height } = panelElement.current
    const panelLeft = alignedEdge === 'start' ? buttonBox.left : buttonBox.right - width
    const panelTopBelow = buttonBox.bottom + BUTTON_GAP_PX
    const fitsBelow = panelTopBelow + height <= innerHeight - VIEWPORT_MARGIN_PX || buttonBox.top < height
    panelElement.current.style.left = `${Math.max(VIEWPORT_MARGIN_PX, Math.min(panelLeft, document.documentElement.clientWidth - width - VIEWPORT_MARGIN_PX))}px`
    panelElement.current.style.top = `${fitsBelow ? panelTopBelow : buttonBox.top - BUTTON_GAP_PX - height}px`
  }, [alignedEdge])

  // The listeners are added in a layout effect, because a click that caused React to hydrate this component is dispatched again directly
  // after the commit.
  useLayoutEffect(() => {
    const popoverElement = panelElement.current
    if (!popoverElement) return
    // The items are removed only after the panel is closed, because the browser returns the focus to the button only if an item is focused
    // at that time.
    const onToggle = (event: Event) => {
      if (event instanceof ToggleEvent && event.newState === 'closed') setOpen(false)
    }
    const onPress = () => {
      wasOpenOnPress.current = popoverElement.matches(':popover-open')
    }
    const scope = createCleanupScope()
    scope.listen(popoverElement, 'toggle', onToggle)
    if (buttonElement.current) scope.listen(buttonElement.current, 'pointerdown', onPress)
    return scope.dispose
  }, [])

  useEffect(() => {
    if (!isOpen) return
    updatePosition()
    const scope = createCleanupScope()
    scope.listen(window, 'resize', updatePosition)
    scope.listen(window, 'scroll', updatePosition, { passive: true, capture: true })
    return scope.dispose
  }, [isOpen, updatePosition])

  const queryItems = () => [...(panelElement.current?.querySelectorAll<HTMLElement>(itemSelector) ?? [])]
  const showPanel = (focusedItem?: 'first' | 'last') => {
    // The items must be rendered before the panel is measured and before one of them is focused. They are rendered before the panel is shown, because
    // React may then render a toast, too, and no other popover can be shown while one is being shown.
    flushSync(() => setOpen(true))
    if (!panelElement.current?.matches(':popover-open')) panelElement.current?.showPopover()
    updatePosition()
    if (focusedItem)
      queryItems()
        .at(focusedItem === 'first' ? 0 : -1)
        ?.focus()
  }
  const hidePanel = () => {
    if (panelElement.current?.matches(':popover-open')) panelElement.current.hidePopover()
  }

  return {
    button: buttonElement,
    panel: panelElement,
    open: isOpen,
    show: showPanel,
    hide: hidePanel,
    toggle: () => {
      if (wasOpenOnPress.current || panelElement.current?.matches(':popover-open')) hidePanel()
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
