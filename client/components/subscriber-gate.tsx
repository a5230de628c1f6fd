import type { ReactNode } from 'react'
import type { AccountInfo, PaidPlan } from '../../contract/account.ts'
import { CONTENT_LOCKED_MESSAGE } from '../../contract/errors.ts'
import { useAccountInfo } from '../hooks/account-data.ts'
import { useEntitlement, useRefreshEntitlement } from '../hooks/entitlement.ts'
import type { SignedInAccount } from '../hooks/identity.ts'
import { Button } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { formatLongDate } from '../ui/format.ts'
import { lazyWithRetry } from '../ui/lazy-with-retry.tsx'
import { SkeletonFields } from '../ui/skeleton-fields.tsx'
import { SpinningRecord } from '../ui/spinning-record.tsx'
import { Notice, OfflineState } from '../ui/states.tsx'
import typeStyles from '../ui/type.module.css'
import { AccountPage } from './account-page.tsx'
import styles from './locked-panel.module.css'
import type { SubscriberTool } from './subscription-offer.tsx'

// The offer is an on-demand chunk. The locked page is complete without the offer, which is shown below the panel.
const SubscriptionOffer = lazyWithRetry(() => import('./subscription-offer.tsx').then((module) => module.SubscriptionOffer), {
  fallback: () => <div className={styles.offer} />,
  renderError: () => null,
})

interface SubscriberPageProps {
  title: string
  tool: SubscriberTool
  /** Returns a sentence about what happens to the account's content after its subscription has ended. */
  describeContentAfterEnd?: ((info: AccountInfo) => string | undefined) | undefined
  children: (person: SignedInAccount) => ReactNode
}

/** An account page whose content is for subscribers. Others see the locked panel. */
export function SubscriberPage({ title, tool, describeContentAfterEnd, children }: SubscriberPageProps) {
  return (
    <AccountPage title={title}>
      {(person) => (
        <SubscriberGate
          key={person.uid}
          locked={<LockedContent uid={person.uid} tool={tool} describeContentAfterEnd={describeContentAfterEnd} />}
        >
          {children(person)}
        </SubscriberGate>
      )}
    </AccountPage>
  )
}

/**
 * The panel for people without a subscription. If the account had a subscription, a notice above the panel states when the subscription ended and
 * which content of the account is kept.
 */
function LockedContent({
  uid,
  tool,
  describeContentAfterEnd,
}: Pick<SubscriberPageProps, 'tool' | 'describeContentAfterEnd'> & { uid: string }) {
  const { data } = useAccountInfo(uid)
  const noticeTexts = data
    ? [data.ended && describeSubscriptionEnd(data.ended), describeContentAfterEnd?.(data)].filter((text) => text !== undefined)
    : []
  return (
    <>
      {noticeTexts.length > 0 && <Notice>{noticeTexts.join(' ')}</Notice>}
      <LockedPanel tool={tool} />
    </>
  )
}

interface SubscriberGateProps {
  /** Shown to people without a subscription. */
  locked: ReactNode
  /** Shown until the role is known. */
  loading?: ReactNode
  /** The end of the sentence that asks a person to confirm the subscription, for example a clause that says that no data is lost. */
  reassurance?: string
  children: ReactNode
}

export function SubscriberGate({ locked, loading = <SkeletonFields count={4} />, reassurance, children }: SubscriberGateProps) {
  const entitlement = useEntitlement()
  const refreshEntitlement = useRefreshEntitlement()
  switch (entitlement) {
    case 'entitled':
      return children
    case 'locked':
      return locked
    case 'stale':
      return (
        <OfflineState
          title="We need to check your subscription."
          text={`We last did that over 30 days ago. Go online once to continue${reassurance ? `; ${reassurance}` : ''}.`}
          onRetry={refreshEntitlement}
        />
      )
    case 'unknown':
      return loading
  }
}

export const planNames: Record<PaidPlan, string> = { premium: 'Premium', premium_plus: 'Premium+', donate: 'Donation' }

/** Formats the last day of a plan that ends at `until`. If `until` is midnight, that is the day before. */
export const formatLastDay = (until: string) => formatLongDate(new Date(Date.parse(until) - 1).toISOString())

/** Returns the sentence with the name of an ended subscription and its last day. */
export const describeSubscriptionEnd = ({ plan, until }: NonNullable<AccountInfo['ended']>) =>
  `${plan === undefined ? 'Your subscription' : planNames[plan]} ended on ${formatLastDay(until)}.`

/** Renders the panel that visitors without a subscription see in place of content for subscribers, and below it the subscription offer. */
export function LockedPanel({ tool }: { tool: SubscriberTool }) {
  return (
    <>
      <section className={styles.panel} aria-label="Content locked">
        <SpinningRecord seed={CONTENT_LOCKED_MESSAGE} className={styles.platter} />
        <div className={styles.words}>
          <p className={classNames(typeStyles.lead, styles.text)}>{CONTENT_LOCKED_MESSAGE}</p>
          <Button to="/subscribe" variant="primary" size="big">
            Subscribe
          </Button>
        </div>
      </section>
      <SubscriptionOffer tool={tool} />
    </>
  )
}
