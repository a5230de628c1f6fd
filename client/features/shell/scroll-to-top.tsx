import { IconButton } from '../../ui/icon-button.tsx'
import styles from './scroll-to-top.module.css'
import { useScrolledPast } from './use-scrolled-past.ts'

const APPEARS_AFTER_PX = 100

export function ScrollToTop() {
  const shown = useScrolledPast(APPEARS_AFTER_PX)
  if (!shown) return null
  return (
    <IconButton
      icon="arrow-up"
      label="Scroll to top"
      look="bright"
      className={styles.button ?? ''}
      onClick={() => {
        // The button goes away with the scroll; whoever pressed it by key goes on from the top.
        document.getElementById('main')?.focus({ preventScroll: true })
        scrollTo({ top: 0, behavior: matchMedia('(prefers-reduced-motion: reduce)').matches ? 'instant' : 'smooth' })
      }}
    />
  )
}
