import type { ReactNode } from 'react'
import type { Loaded } from '../../bindings/catalogue.ts'
import { useOffers, useUnplugged } from '../../bindings/offline.ts'
import { Key } from '../../ui/key.tsx'
import { OfferList } from '../../ui/offer-list.tsx'
import { AwayState, ErrorState, Notice } from '../../ui/states.tsx'

/** Why it is not there: for a device without a network, and for a site that does not answer one that has it. */
interface Reasons {
  unplugged: string
  silent: string
}

const notOpened: Reasons = {
  unplugged: 'This needs a connection: it was not opened here before.',
  silent: 'The site does not answer, and this was not opened here before.',
}

export interface LoadFailureProps {
  error: { kind: 'network' | 'api'; message: string }
  onRetry: () => void
  /** What is said above the reason. */
  title?: string
  reasons?: Reasons
  /** The way on where nothing else is on this device. */
  otherwise?: ReactNode
}

/** Nothing to show: the server's own message, or that there was no answer and what is here without one. */
export function LoadFailure({ error, onRetry, title, reasons = notOpened, otherwise = <Key to="/">Go back home</Key> }: LoadFailureProps) {
  const offers = useOffers()
  const reason = useUnplugged() ? reasons.unplugged : reasons.silent
  if (error.kind === 'api') return <ErrorState title={error.message} onRetry={onRetry} />
  return (
    <>
      <AwayState
        title={title ?? reason}
        {...(title !== undefined && { text: reason })}
        onRetry={onRetry}
        action={offers.length === 0 && otherwise}
      />
      <OfferList title="On this device" offers={offers} />
    </>
  )
}

/** Above rows that the server could not refresh, though it answered. That the site cannot be reached is said once, for the whole page. */
export function StaleNotice({ loaded }: { loaded: Pick<Loaded<unknown>, 'stale' | 'error'> }) {
  if (!loaded.stale || loaded.error?.kind !== 'api') return null
  return <Notice icon="warning">{loaded.error.message} This is how it was on your last visit.</Notice>
}
