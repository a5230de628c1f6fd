import type { ReactNode } from 'react'
import type { AccountInfo } from '../../contract/account.ts'
import { useAccountInfo } from '../hooks/account-data.ts'
import { useEntitlement, useRefreshEntitlement } from '../hooks/entitlement.ts'
import type { SignedInAccount } from '../hooks/identity.ts'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { Notice, OfflineState } from '../ui/states.tsx'
import { AccountPage } from './account-page.tsx'
import { LockedPanel } from './locked-panel.tsx'
import { describeEnd } from './plan-end.ts'

interface SubscriberPageProps {
  title: string
  /** Returns a sentence about what happens to the account's content after its subscription has ended. */
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

/** The panel for people without a subscription. If one has ended, a notice above tells its last day and which content is kept. */
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
  /** Shown to people without a subscription. */
  locked: ReactNode
  /** Shown until the role is known. */
  loading?: ReactNode
  /** The end of the sentence that asks a person to confirm the role, such as that no data is lost. */
  reassurance?: string
  children: ReactNode
}

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
