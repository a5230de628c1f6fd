import { IconButton } from '../../ui/icon-button.tsx'
import styles from './scroll-to-top.module.css'
import { useScrolledPast } from './use-scrolled-past.ts'

const APPEARS_AFTER_PX = 100

export function ScrollToTop() {
  const isShown = useScrolledPast(APPEARS_AFTER_PX)
  if (!isShown) return null
  return (
    <IconButton
      icon="arrow-up"
      label="Scroll to top"
      look="bright"
      className={styles.button ?? ''}
      onClick={() => {
        // Moves the focus to the top, because the button disappears after the scroll.
        document.getElementById('main')?.focus({ preventScroll: true })
        scrollTo({ top: 0, behavior: matchMedia('(prefers-reduced-motion: reduce)').matches ? 'instant' : 'smooth' })
      }}
    />
  )
}
