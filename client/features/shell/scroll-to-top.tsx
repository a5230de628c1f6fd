import { classNames } from '../../ui/class-names.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import styles from './scroll-to-top.module.css'
import { useIsScrollIdle, useScrolledPast } from './use-scrolled-past.ts'

const APPEARS_AFTER_SCROLL_PX = 100

/** The time in milliseconds without scrolling after which the button is hidden on a narrow page, where it covers text. */
const HIDE_AFTER_SCROLL_REST_MS = 2000

export function ScrollToTop() {
  const isButtonShown = useScrolledPast(APPEARS_AFTER_SCROLL_PX)
  const isScrollResting = useIsScrollIdle(HIDE_AFTER_SCROLL_REST_MS)
  if (!isButtonShown) return null
  return (
    <IconButton
      icon="arrow-up"
      label="Scroll to top"
      look="bright"
      className={classNames(styles.button, isScrollResting && styles.resting)}
      onClick={() => {
        // Moves the focus to the top, because the button disappears after the scroll.
        document.getElementById('main')?.focus({ preventScroll: true })
        scrollTo({ top: 0, behavior: matchMedia('(prefers-reduced-motion: reduce)').matches ? 'instant' : 'smooth' })
      }}
    />
  )
}
