import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'

/**
 * Where a change of the page takes away what had the focus in `root`, gives it to the first control in `place`: else who goes by keys, or hears the
 * page, would begin again at its top. To be used by what renders both, so that it runs after each of its changes.
 */
export function useFocusKept(root: RefObject<HTMLElement | null>, place: RefObject<HTMLElement | null>): void {
  const last = useRef<EventTarget>(null)
  useEffect(() => {
    const stop = new AbortController()
    root.current?.addEventListener('focusin', ({ target }) => (last.current = target), { signal: stop.signal })
    return () => stop.abort()
  }, [root])
  useLayoutEffect(() => {
    if (!(last.current instanceof Element) || last.current.isConnected || document.activeElement !== document.body) return
    place.current?.querySelector<HTMLElement>('button, input:not([hidden])')?.focus({ preventScroll: true })
  })
}
