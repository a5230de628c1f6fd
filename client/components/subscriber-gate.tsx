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
        <SubscriberGate key={person.uid} locked={<Locked uid={person.uid} describeKept={describeKept} />}>
          {children(person)}
        </SubscriberGate>
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

interface SubscriberGateProps {
  /** What people without a subscription see. */
  locked: ReactNode
  /** What is shown until the role is known. */
  loading?: ReactNode
  /** Reassures somebody whose role must be confirmed, as the end of a sentence. */
  reassurance?: string
  children: ReactNode
}

/** Shows `children` to subscribers only. */
export function SubscriberGate({ locked, loading = <SkeletonRows count={4} />, reassurance, children }: SubscriberGateProps) {
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
          text={`That was last done over 30 days ago. Connect to the internet once to go on${reassurance ? `; ${reassurance}` : ''}.`}
          onRetry={refresh}
        />
      )
    case 'unknown':
      return loading
  }
}
