import type { ReactNode } from 'react'
import type { AccountInfo } from '../../contract/account.ts'
import { useAccountInfo } from '../hooks/account-info.ts'
import { useEntitlement, useRefreshEntitlement } from '../hooks/entitlement.ts'
import type { SignedInAccount } from '../hooks/identity.ts'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { Notice, OfflineState } from '../ui/states.tsx'
import { AccountPage } from './account-page.tsx'
import { LockedPanel } from './locked-panel.tsx'
import { describeEnd } from './plan-end.ts'

interface SubscriberPageProps {
  title: string
  /** Says what became of the content when a subscription has ended. */
  describeKept?: ((info: AccountInfo) => string | undefined) | undefined
  children: (person: SignedInAccount) => ReactNode
}

/** An account page whose content is for subscribers. Others see the locked panel. */
export function SubscriberPage({ title, describeKept, children }: SubscriberPageProps) {
  return (
    <AccountPage title={title}>
      {(person) => (
        <EntitlementGate key={person.uid} locked={<Locked uid={person.uid} describeKept={describeKept} />}>
          {children(person)}
        </EntitlementGate>
      )}
    </AccountPage>
  )
}

/** The locked panel; above it, for somebody whose subscription has ended, when it did and what is kept. */
function Locked({ uid, describeKept }: Pick<SubscriberPageProps, 'describeKept'> & { uid: string }) {
  const { data } = useAccountInfo(uid)
  const texts = data ? [data.ended && describeEnd(data.ended), describeKept?.(data)].filter((text) => text !== undefined) : []
  return (
    <>
      {texts.length > 0 && <Notice>{texts.join(' ')}</Notice>}
      <LockedPanel />
    </>
  )
}

function EntitlementGate({ locked, children }: { locked: ReactNode; children: ReactNode }) {
  const entitlement = useEntitlement()
  const refresh = useRefreshEntitlement()
  switch (entitlement) {
    case 'entitled':
      return children
    case 'locked':
      return locked
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
