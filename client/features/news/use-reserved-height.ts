import { type RefObject, useEffect, useRef } from 'react'
import { FOLLOWED_HEIGHT_KEY, FOLLOWED_HEIGHT_PROPERTY } from '../../../contract/follow-rules.ts'
import { localStore } from '../../platform/web-storage.ts'

/** Stores the height of the songs of followed artists, so that the next page load reserves it, and changes the height that this page reserves. */
export function storeFollowedHeight(heightPx: number | undefined): void {
  const height = heightPx === undefined ? undefined : `${heightPx}px`
  localStore.write(FOLLOWED_HEIGHT_KEY, height)
  document.documentElement.style.setProperty(FOLLOWED_HEIGHT_PROPERTY, height ?? '')
}

/** Returns a ref. Once the content of its element is complete, the height of the element is stored whenever it changes. */
export function useReservedHeight(isComplete: boolean): RefObject<HTMLElement | null> {
  const element = useRef<HTMLElement>(null)
  useEffect(() => {
    if (!isComplete || !element.current) return
    const observer = new ResizeObserver(([entry]) => storeFollowedHeight(entry?.borderBoxSize[0]?.blockSize))
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [isComplete])
  return element
}
