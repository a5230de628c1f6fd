import { useEffect, useLayoutEffect, useRef } from 'react'
import { usePlayer, usePlayerState, useStagePlace } from '../../bindings/player.tsx'
import { classNames } from '../../ui/class-names.ts'
import styles from './stage.module.css'

/**
 * The video's one frame. It stands in the document once and for good: moving it would reload the video. What changes is
 * its box: over the place that a page keeps for it, in the dock's corner, or unseen.
 */
export function Stage({ docked }: { docked: boolean }) {
  const player = usePlayer()
  const place = useStagePlace()
  const hasFrame = usePlayerState((state) => state.hasFrame)
  const frame = useRef<HTMLDivElement>(null)
  const host = useRef<HTMLDivElement>(null)

  useEffect(() => {
    if (host.current) player.attachStage(host.current)
  }, [player])

  useLayoutEffect(() => {
    const element = frame.current
    if (!element || !place) return
    const follow = () => {
      const box = place.getBoundingClientRect()
      element.style.top = `${box.top + scrollY}px`
      element.style.left = `${box.left + scrollX}px`
      element.style.width = `${box.width}px`
      element.style.height = `${box.height}px`
    }
    follow()
    // What stands above the place moves it without changing its size: that shows in the height of the page.
    const observer = new ResizeObserver(follow)
    for (const watched of [place, document.body]) observer.observe(watched)
    addEventListener('resize', follow)
    return () => {
      observer.disconnect()
      removeEventListener('resize', follow)
      element.removeAttribute('style')
    }
  }, [place])

  const seen = hasFrame && (place !== undefined || docked)
  return (
    <div
      ref={frame}
      className={classNames(styles.stage, place ? styles.placed : docked ? styles.docked : styles.parked, !seen && styles.unseen)}
      inert={!seen}
    >
      <div ref={host} className={styles.host} />
    </div>
  )
}
