import type { ReactNode } from 'react'
import { useEntitlement, useRefreshEntitlement } from '../../bindings/entitlement.ts'
import type { SignedInAccount } from '../../bindings/identity.ts'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { OfflineState } from '../../ui/states.tsx'
import { AccountPage } from './account-layout.tsx'
import { LockedPanel } from './locked-panel.tsx'

interface SubscriberPageProps {
  title: string
  children: (person: SignedInAccount) => ReactNode
}

/** An account page whose content is for subscribers. Others see the locked panel. */
export function SubscriberPage({ title, children }: SubscriberPageProps) {
  return <AccountPage title={title}>{(person) => <EntitlementGate key={person.uid}>{children(person)}</EntitlementGate>}</AccountPage>
}

function EntitlementGate({ children }: { children: ReactNode }) {
  const entitlement = useEntitlement()
  const refresh = useRefreshEntitlement()
  switch (entitlement) {
    case 'entitled':
      return children
    case 'locked':
      return <LockedPanel />
    case 'stale':
      return (
        <OfflineState
          title="Your subscription must be confirmed."
          text="That was last done over 30 days ago. Connect to the internet once to go on."
          onRetry={refresh}
        />
      )
    case 'unknown':
      return <SkeletonRows count={4} />
  }
}
