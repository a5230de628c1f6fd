import { useCallback, useSyncExternalStore } from 'react'

/** Whether the page is scrolled by more than `px`; always false where `media` does not match. */
export function useScrolledPast(px: number, media = 'all'): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const query = matchMedia(media)
      query.addEventListener('change', listener)
      addEventListener('scroll', listener, { passive: true })
      return () => {
        query.removeEventListener('change', listener)
        removeEventListener('scroll', listener)
      }
    },
    [media],
  )
  return useSyncExternalStore(
    subscribe,
    () => scrollY > px && matchMedia(media).matches,
    () => false,
  )
}
