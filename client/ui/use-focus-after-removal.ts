import { useEffect, useRef } from 'react'
import { createScope } from '../primitives/scope.ts'

/** Returns the links and buttons of a row. */
const rowControls = (row: Element) => [...row.querySelectorAll<HTMLElement>('a, button:not([role])')]

/**
 * If the row with the focus is removed, focuses the same control of the row that takes its place, or of the last row; if no row is left,
 * focuses the container. The rows are the `li[data-index]` of the container, which has a `tabIndex` of -1 if it may become empty.
 */
export function useFocusAfterRemoval(container: HTMLElement | null): void {
  const lastFocused = useRef<{ element: Element; rowIndex: number; controlIndex: number }>(undefined)
  useEffect(() => {
    if (!container) return
    const recordFocus = ({ target }: FocusEvent) => {
      const row = target instanceof Element ? target.closest('li[data-index]') : null
      if (!(target instanceof HTMLElement) || !row) return
      lastFocused.current = {
        element: target,
        rowIndex: Number(row.getAttribute('data-index')),
        controlIndex: rowControls(row).indexOf(target),
      }
    }
    const restoreFocus = () => {
      if (!lastFocused.current || lastFocused.current.element.isConnected || document.activeElement !== document.body) return
      const { rowIndex, controlIndex } = lastFocused.current
      const row = container.querySelector(`li[data-index="${rowIndex}"]`) ?? container.querySelector('li[data-index]:last-child')
      const target = row ? rowControls(row)[controlIndex] : container
      target?.focus({ preventScroll: true })
    }
    const observer = new MutationObserver(restoreFocus)
    observer.observe(container, { childList: true, subtree: true })
    const scope = createScope()
    scope.add(() => observer.disconnect())
    scope.listen(container, 'focusin', recordFocus)
    return scope.dispose
  }, [container])
}
