import { type ReactNode, type RefObject, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { addListener, startInterval } from '../primitives/scope.ts'
import styles from './carousel.module.css'
import { classNames } from './class-names.ts'
import { IconButton } from './icon-button.tsx'
import typeStyles from './type.module.css'

interface CarouselProps {
  label: string
  /** The heading of the carousel, beside the buttons. */
  heading: ReactNode
  /** The time in milliseconds between two steps of the automatic scrolling. */
  autoplayMs: number
  /** Pauses the automatic scrolling, for example while a dialog shows a slide. */
  isScrollingPaused?: boolean
  /** Sets `--per-view`, the number of slides that are visible at the same time. */
  className?: string | undefined
  children: ReactNode
  slideCount: number
  /** The number of all slides, if `children` contains only the first ones. */
  total?: number
  /** Called when the last slides come into view, so that the caller can add more slides. */
  onNearEnd?: (() => void) | undefined
}

/**
 * A row of slides that scrolls by one slide at a time, and returns to the first one after the last. It follows the carousel pattern of the ARIA
 * Authoring Practices (https://www.w3.org/WAI/ARIA/apg/patterns/carousel/): automatic scrolling pauses on hover and focus, has a button, and is off
 * if the person prefers reduced motion. It is also paused in a hidden tab. Slides are a scrolling list: all of them stay readable and can be swiped.
 */
export function Carousel({
  label,
  heading,
  autoplayMs,
  isScrollingPaused: isHeld = false,
  className,
  children,
  slideCount,
  total = slideCount,
  onNearEnd,
}: CarouselProps) {
  const trackElement = useRef<HTMLUListElement>(null)
  const playButton = useRef<HTMLButtonElement>(null)
  const prefersReducedMotion = usePrefersReducedMotion()
  const [isPlayingChoice, setPlayingChoice] = useState<boolean>()
  const isMovementOn = isPlayingChoice ?? !prefersReducedMotion
  const [isSlideHovered, setSlideHovered] = useState(false)
  const [hasSlideFocus, setSlideFocus] = useState(false)
  const isPageHidden = useIsPageHidden()
  const hasOverflow = useOverflows(trackElement, slideCount)
  const isMovementRunning = isMovementOn && hasOverflow && !isHeld && !isSlideHovered && !hasSlideFocus && !isPageHidden
  const { step, forget } = useSteps(trackElement)
  const [shownSlides, setShownSlides] = useState('')

  useEffect(() => (isMovementRunning ? startInterval(() => step(1), autoplayMs) : undefined), [isMovementRunning, autoplayMs, step])

  const showNeighbours = (direction: 1 | -1) => {
    const range = step(direction, 'view')
    setShownSlides(range === '' ? '' : `${range} of ${total}`)
  }
  return (
    <section
      className={classNames(styles.carousel, className)}
      aria-roledescription="carousel"
      aria-label={label}
      onPointerEnter={() => setSlideHovered(true)}
      onPointerLeave={() => setSlideHovered(false)}
      // The focus pauses automatic scrolling, except on the pause button: otherwise a press that starts the scrolling would have no effect.
      onFocus={({ target }) => setSlideFocus(target !== playButton.current)}
      onBlur={({ currentTarget, relatedTarget }) => !currentTarget.contains(relatedTarget) && setSlideFocus(false)}
    >
      <div className={styles.line}>
        {heading}
        <div className={classNames(styles.buttons, !hasOverflow && styles.unused)}>
          <IconButton
            ref={playButton}
            icon={isMovementOn ? 'pause' : 'play'}
            label={isMovementOn ? 'Pause automatic scrolling' : 'Start automatic scrolling'}
            onClick={() => setPlayingChoice(!isMovementOn)}
          />
          <IconButton icon="chevron-left" label="Previous" look="bright" onClick={() => showNeighbours(-1)} />
          <IconButton icon="chevron-right" label="Next" look="bright" onClick={() => showNeighbours(1)} />
          <span role="status" className={typeStyles.hidden}>
            {shownSlides}
          </span>
        </div>
      </div>
      {/* A scrolling list must be reachable by keyboard, even if no slide can have the focus. */}
      <ul
        ref={trackElement}
        className={styles.track}
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: see above.
        tabIndex={0}
        onPointerDown={forget}
        onWheel={forget}
        onFocus={forget}
        onScroll={({ currentTarget: { scrollLeft, clientWidth, scrollWidth } }) => {
          if (scrollLeft + 2 * clientWidth > scrollWidth) onNearEnd?.()
        }}
      >
        {children}
      </ul>
    </section>
  )
}

/**
 * Returns a function that scrolls the track by one slide or by the number of visible slides, and a function that clears the target of the
 * last scroll, so that the next scroll starts from the current position.
 */
function useSteps(track: RefObject<HTMLUListElement | null>) {
  // While the track is still scrolling smoothly, a further step starts from the target of the current scroll.
  const targetIndex = useRef<number>(undefined)
  const [stepFunctions] = useState(() => ({
    /**
     * Scrolls by one slide or by the number of visible slides. Returns the range of slides that are visible afterwards, such as `1 to 12`.
     */
    step(direction: 1 | -1, stepSize: 'slide' | 'view' = 'slide'): string {
      const trackElement = track.current
      const [firstSlide, secondSlide] = trackElement?.children ?? []
      if (!(trackElement && firstSlide instanceof HTMLElement && secondSlide instanceof HTMLElement)) return ''
      const pitchPx = secondSlide.offsetLeft - firstSlide.offsetLeft
      const slidesPerView = Math.max(1, Math.round(trackElement.clientWidth / pitchPx))
      const lastIndex = Math.max(0, trackElement.children.length - slidesPerView)
      const index = targetIndex.current ?? Math.round(trackElement.scrollLeft / pitchPx)
      const nextIndex = index + direction * (stepSize === 'view' ? slidesPerView : 1)
      const isPastLastSlide = direction === 1 ? index >= lastIndex : index <= 0
      const shownIndex = isPastLastSlide ? (direction === 1 ? 0 : lastIndex) : Math.min(Math.max(nextIndex, 0), lastIndex)
      targetIndex.current = shownIndex
      trackElement.scrollTo({ left: shownIndex * pitchPx })
      return `${shownIndex + 1} to ${Math.min(shownIndex + slidesPerView, trackElement.children.length)}`
    },
    forget() {
      targetIndex.current = undefined
    },
  }))
  return stepFunctions
}

/** Returns whether the slides are wider than the track; `true` until the page is laid out. Measured again when `slideCount` changes. */
function useOverflows(track: RefObject<HTMLUListElement | null>, slideCount: number): boolean {
  const [hasOverflow, setHasOverflow] = useState(true)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list has other slides if their number has changed.
  useEffect(() => {
    const trackElement = track.current
    if (!trackElement) return
    const observer = new ResizeObserver(() => setHasOverflow(trackElement.scrollWidth > trackElement.clientWidth + 1))
    observer.observe(trackElement)
    return () => observer.disconnect()
  }, [track, slideCount])
  return hasOverflow
}

const REDUCED_MOTION_QUERY = '(prefers-reduced-motion: reduce)'
const subscribeToMotionPreference = (listener: () => void) => addListener(matchMedia(REDUCED_MOTION_QUERY), 'change', listener)
const usePrefersReducedMotion = () =>
  useSyncExternalStore(
    subscribeToMotionPreference,
    () => matchMedia(REDUCED_MOTION_QUERY).matches,
    () => false,
  )

const subscribeToPageVisibility = (listener: () => void) => addListener(document, 'visibilitychange', listener)
const useIsPageHidden = () =>
  useSyncExternalStore(
    subscribeToPageVisibility,
    () => document.hidden,
    () => false,
  )
