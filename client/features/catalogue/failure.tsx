import type { Loaded } from '../../bindings/catalogue.ts'
import { useOffers } from '../../bindings/offline.ts'
import { OfferList } from '../../ui/offer-list.tsx'
import { ErrorState, Notice } from '../../ui/states.tsx'

/** What the specification has a person read where nothing could be fetched. */
const NO_NETWORK = 'An error occurred while fetching data.'

const NOT_OPENED = 'This needs a connection: it was not opened here before.'

interface Failure {
  kind: 'network' | 'api'
  message: string
}

/** Nothing to show: the server's own message, or that there was no answer and what is here without one. */
export function LoadFailure({ error, onRetry, missing = NOT_OPENED }: { error: Failure; onRetry: () => void; missing?: string }) {
  const offers = useOffers()
  if (error.kind === 'api') return <ErrorState title={error.message} onRetry={onRetry} />
  return (
    <>
      <ErrorState
        title={NO_NETWORK}
        text={offers.length > 0 ? `${missing} What is here follows below.` : `${missing} Check your connection and try again.`}
        onRetry={onRetry}
      />
      <OfferList title="Here without a connection" offers={offers} />
    </>
  )
}

/** Above rows that the server could not refresh, though it answered. That the site cannot be reached is said once, for the whole page. */
export function StaleNotice({ loaded }: { loaded: Pick<Loaded<unknown>, 'stale' | 'error'> }) {
  if (!loaded.stale || loaded.error?.kind !== 'api') return null
  return <Notice icon="warning">{loaded.error.message} This is how it was on your last visit.</Notice>
}
