import { useRouterState } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { startTimeout } from '../../primitives/scope.ts'
import styles from './navigation-progress-line.module.css'

const MOMENT_MS = 150

/**
 * Renders a moving line below the navigation bar while the next page is loaded, if that takes longer than a moment: the line would cost a page that opens
 * at once a frame.
 */
export function NavigationProgressLine() {
  const isPending = useRouterState({ select: (state) => state.isLoading })
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    setSlow(false)
    return isPending ? startTimeout(() => setSlow(true), MOMENT_MS) : undefined
  }, [isPending])
  return isPending && isSlow && <div className={styles.line} />
}
