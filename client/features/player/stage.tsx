import { useEffect, useLayoutEffect, useRef } from 'react'
import { usePlayer, usePlayerState, useStagePlace } from '../../hooks/player.tsx'
import { listen } from '../../primitives/scope.ts'
import { classNames } from '../../ui/class-names.ts'
import styles from './stage.module.css'

/**
 * The frame of the video. The element is never moved in the document, because that would reload the video. CSS positions the element over the
 * current page's placeholder, in the corner of the dock, or off screen.
 */
export function Stage({ docked }: { docked: boolean }) {
  const player = usePlayer()
  const placeholder = useStagePlace()
  const hasFrame = usePlayerState((state) => state.hasFrame)
  const frame = useRef<HTMLDivElement>(null)
  const host = useRef<HTMLDivElement>(null)

  useEffect(() => {
    if (host.current) player.attachStage(host.current)
  }, [player])

  useLayoutEffect(() => {
    const element = frame.current
    if (!element || !placeholder) return
    const moveOverPlace = () => {
      const placeholderRect = placeholder.getBoundingClientRect()
      element.style.top = `${placeholderRect.top + scrollY}px`
      element.style.left = `${placeholderRect.left + scrollX}px`
      element.style.width = `${placeholderRect.width}px`
      element.style.height = `${placeholderRect.height}px`
    }
    moveOverPlace()
    // Also observes the body: if content above the placeholder changes its height, the placeholder moves without a change of its own size.
    const observer = new ResizeObserver(moveOverPlace)
    for (const watched of [placeholder, document.body]) observer.observe(watched)
    const stopListening = listen(window, 'resize', moveOverPlace)
    return () => {
      observer.disconnect()
      stopListening()
      element.removeAttribute('style')
    }
  }, [placeholder])

  const isVisible = hasFrame && (placeholder !== undefined || docked)
  return (
    <div
      ref={frame}
      className={classNames(
        styles.stage,
        placeholder ? styles.placed : docked ? styles.docked : styles.parked,
        !isVisible && styles.unseen,
      )}
      inert={!isVisible}
    >
      <div ref={host} className={styles.host} />
    </div>
  )
}
