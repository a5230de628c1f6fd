import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'

/**
 * Moves the focus to the first control in `container` when a render has removed the focused element in `root`, so that keyboard and screen reader
 * users do not restart at the top of the page. Use it in the component that renders both elements, because it runs after each of its renders.
 */
export function useRestoreFocus(root: RefObject<HTMLElement | null>, container: RefObject<HTMLElement | null>): void {
  const lastFocused = useRef<EventTarget>(null)
  useEffect(() => {
    const abortController = new AbortController()
    root.current?.addEventListener('focusin', ({ target }) => (lastFocused.current = target), { signal: abortController.signal })
    return () => abortController.abort()
  }, [root])
  useLayoutEffect(() => {
    if (!(lastFocused.current instanceof Element) || lastFocused.current.isConnected || document.activeElement !== document.body) return
    container.current?.querySelector<HTMLElement>('button, input:not([hidden])')?.focus({ preventScroll: true })
  })
}
