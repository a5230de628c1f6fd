import { useEffect, useLayoutEffect, useRef } from 'react'
import { addListener } from '../primitives/scope.ts'
import { classNames } from './class-names.ts'
import styles from './video-frame.module.css'

interface VideoFrameProps {
  /** The element over which the frame is positioned. */
  place: HTMLElement | undefined
  /** Whether the frame is shown in the corner of the player's dock while `place` is undefined. Otherwise the frame is off screen. */
  docked: boolean
  /** Whether the iframe of the video platform exists. */
  hasFrame: boolean
  /** Whether the corners of the frame are rounded. */
  isRounded?: boolean
  /** Called once with the element into which the player of the video platform inserts its iframe. */
  attach: (host: HTMLElement) => void
}

/**
 * The frame of a video, rendered above the routes. The element is never moved in the document, because that would reload the video. CSS
 * positions it over `place`, in the corner of the player's dock, or off screen.
 */
export function VideoFrame({ place, docked, hasFrame, isRounded = false, attach }: VideoFrameProps) {
  const frameRef = useRef<HTMLDivElement>(null)
  const hostRef = useRef<HTMLDivElement>(null)

  useEffect(() => {
    if (hostRef.current) attach(hostRef.current)
  }, [attach])

  useLayoutEffect(() => {
    const frameElement = frameRef.current
    if (!frameElement || !place) return
    const moveOverPlaceholder = () => {
      const { top, left, width, height } = place.getBoundingClientRect()
      // All values are read before the first is written: a read after a write would force another layout.
      const [topPx, leftPx] = [top + scrollY, left + scrollX]
      frameElement.style.top = `${topPx}px`
      frameElement.style.left = `${leftPx}px`
      frameElement.style.width = `${width}px`
      frameElement.style.height = `${height}px`
    }
    // The observer also calls back before the next paint, after the layout, which a call here would force. The body is observed, too, because `place` can
    // move without changing its size when content above it changes its height.
    const observer = new ResizeObserver(moveOverPlaceholder)
    for (const watched of [place, document.body]) observer.observe(watched)
    const stopListening = addListener(window, 'resize', moveOverPlaceholder)
    return () => {
      observer.disconnect()
      stopListening()
      frameElement.removeAttribute('style')
    }
  }, [place])

  const isFrameVisible = hasFrame && (place !== undefined || docked)
  return (
    <div
      ref={frameRef}
      className={classNames(
        styles.stage,
        place ? styles.placed : docked ? styles.docked : styles.parked,
        place && isRounded && styles.rounded,
        !isFrameVisible && styles.unseen,
      )}
      inert={!isFrameVisible}
    >
      <div ref={hostRef} className={styles.host} />
    </div>
  )
}
