import { useRouterState } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { startTimeout } from '../../primitives/scope.ts'
import styles from './navigation-progress-line.module.css'

const PROGRESS_LINE_DELAY_MS = 150

/**
 * Renders a moving line below the navigation bar while the next page is loaded, after a short delay: for a page that opens immediately, the line
 * would cost a frame.
 */
export function NavigationProgressLine() {
  const isPending = useRouterState({ select: (state) => state.isLoading })
  const [isNavigationSlow, setNavigationSlow] = useState(false)
  useEffect(() => {
    if (isPending) return startTimeout(() => setNavigationSlow(true), PROGRESS_LINE_DELAY_MS)
    setNavigationSlow(false)
  }, [isPending])
  return isPending && isNavigationSlow && <div className={styles.line} />
}
