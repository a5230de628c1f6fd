import type { Loaded } from '../../bindings/catalogue.ts'
import { ErrorState, Notice } from '../../ui/states.tsx'

/** What the specification has a person read where nothing could be fetched. */
const NO_NETWORK = 'An error occurred while fetching data.'

interface Failure {
  kind: 'network' | 'api'
  message: string
}

/** Nothing to show: the server's own message, or that there was no answer. */
export function LoadFailure({ error, onRetry }: { error: Failure; onRetry: () => void }) {
  return error.kind === 'network' ? (
    <ErrorState
      title={NO_NETWORK}
      text="Check your connection and try again. What you have opened before is still here."
      onRetry={onRetry}
    />
  ) : (
    <ErrorState title={error.message} onRetry={onRetry} />
  )
}

/** Above rows that could not be refreshed. */
export function StaleNotice({ loaded }: { loaded: Pick<Loaded<unknown>, 'stale' | 'error'> }) {
  if (!loaded.stale || !loaded.error) return null
  if (loaded.error.kind === 'api') return <Notice icon="warning">{loaded.error.message} This is how it was on your last visit.</Notice>
  return (
    <Notice icon="offline">
      {navigator.onLine ? 'The server could not be reached.' : 'You are offline.'} This is how it was on your last visit.
    </Notice>
  )
}
