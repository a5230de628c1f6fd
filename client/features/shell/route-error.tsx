import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { reloadPage } from '../../hooks/reload-page.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { ErrorState } from '../../ui/states.tsx'
import typeStyles from '../../ui/type.module.css'
import styles from './route-error.module.css'

/** Renders the error in place of a page that failed to render. The navigation, footer and player stay. */
export function RouteError({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const retryRoute = () => {
    reset()
    void router.invalidate()
  }
  return (
    <div className={classNames(typeStyles.wrap, styles.page)}>
      <h1 className={classNames(typeStyles.display, typeStyles.d3)}>This page didn't load</h1>
      <ErrorState title={describeFailure(error)} text="Try again, or reload the page." onRetry={retryRoute} />
      <Button variant="tertiary" onClick={reloadPage}>
        Reload
      </Button>
    </div>
  )
}

function describeFailure(error: unknown): string {
  if (!navigator.onLine) return "You are offline, and this page isn't stored on this device."
  // Matches the error messages of failed dynamic imports: the message of `handleChunkErrors`, and the messages of the browsers.
  if (error instanceof Error && /part of the page|import|module|fetch|load/i.test(error.message)) return "Part of the page didn't load."
  return 'Something on this page went wrong.'
}
