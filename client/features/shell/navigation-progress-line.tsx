import { useRouterState } from '@tanstack/react-router'
import styles from './navigation-progress-line.module.css'

/** Renders a moving line below the navigation bar while the next page is loaded, if that takes longer than a moment. */
export function NavigationProgressLine() {
  const isPending = useRouterState({ select: (state) => state.isLoading })
  return isPending && <div className={styles.line} />
}
