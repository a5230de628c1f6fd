import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { classNames } from '../../ui/class-names.ts'
import { Key } from '../../ui/key.tsx'
import { ErrorState } from '../../ui/states.tsx'
import typeStyles from '../../ui/type.module.css'
import styles from './route-error.module.css'

/** A page that failed: what happened, and two ways on. Bar, footer and player go on around it. */
export function RouteError({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const retry = () => {
    reset()
    void router.invalidate()
  }
  return (
    <div className={classNames(typeStyles.wrap, styles.page)}>
      <h1 className={classNames(typeStyles.display, typeStyles.d3)}>This page failed</h1>
      <ErrorState title={whatHappened(error)} text="Try again, or reload to start afresh." onRetry={retry} />
      <Key variant="flat" onClick={() => location.reload()}>
        Reload
      </Key>
    </div>
  )
}

function whatHappened(error: unknown): string {
  if (!navigator.onLine) return 'You are offline, and this page is not kept on this device.'
  // As `explainMissingParts` names what did not come, or came in pieces; else the browsers' own words.
  if (error instanceof Error && /^A part of the page|import|module|fetch|load/i.test(error.message))
    return 'A part of the page did not arrive.'
  return 'Something on this page went wrong.'
}
