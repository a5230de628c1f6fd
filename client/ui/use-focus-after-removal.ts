import { useEffect, useRef } from 'react'
import { createCleanupScope } from '../primitives/scope.ts'

/** Returns the links and buttons of a row that can be focused. */
const findRowControls = (row: Element | null | undefined) => [
  ...(row?.querySelectorAll<HTMLElement>('a, button:not([role], :disabled)') ?? []),
]

/**
 * Moves the focus if the focused element in the container is removed. If the element was in a row, the same control of the row that takes
 * its place, or of the last row, is focused; without such a row, the container; if the container was removed, too, the main content of the
 * page. The rows are the `li[data-index]` of the container, which has a `tabIndex` of -1.
 */
export function useFocusAfterRemoval(container: HTMLElement | null): void {
  const lastFocused = useRef<{ element: Element; rowIndex: string | undefined; controlIndex: number }>(undefined)
  useEffect(() => {
    const restoreFocus = () => {
      if (!lastFocused.current || lastFocused.current.element.isConnected || document.activeElement !== document.body) return
      const { rowIndex, controlIndex } = lastFocused.current
      const row =
        rowIndex === undefined
          ? undefined
          : (container?.querySelector(`li[data-index="${rowIndex}"]`) ?? container?.querySelector('li[data-index]:last-child'))
      const controls = findRowControls(row)
      const target = controls[controlIndex] ?? controls.at(-1) ?? container ?? document.getElementById('main')
      target?.focus({ preventScroll: true })
    }
    if (!container) return restoreFocus()
    const recordFocus = ({ target }: FocusEvent) => {
      if (!(target instanceof HTMLElement)) return
      const row = target.closest<HTMLElement>('li[data-index]')
      lastFocused.current = { element: target, rowIndex: row?.dataset.index, controlIndex: findRowControls(row).indexOf(target) }
    }
    const observer = new MutationObserver(restoreFocus)
    observer.observe(container, { childList: true, subtree: true })
    const scope = createCleanupScope()
    scope.add(() => observer.disconnect())
    scope.listen(container, 'focusin', recordFocus)
    return scope.dispose
  }, [container])
}
