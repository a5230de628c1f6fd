import { useCallback, useEffect, useState } from 'react'
import type { PaidPlan, RoleGrant } from '../../../contract/account.ts'
import type { PlanId } from '../../../contract/content.ts'
import { useAccountAction, useAccountInfo } from '../../hooks/account-data.ts'
import { listen, startInterval, startTimeout } from '../../primitives/scope.ts'

/** The names of the plans at the payment provider. */
export const paidPlans: Record<PlanId, PaidPlan> = { premium: 'premium', 'premium-plus': 'premium_plus', donate: 'donate' }

/** Until a payment is noticed, the account is requested again in this interval, as long as the page is visible. */
const POLL_MS = 5000
/** The time after which a payment is no longer awaited. */
const POLL_MAX_MS = 20 * 60_000

/** The plans that an account pays for, and what it does to change them. */
export interface Subscription {
  /** The active grants of payments; `undefined` until they are known. */
  grants: readonly RoleGrant[] | undefined
  /** Whether they could not be requested. */
  isUnknown: boolean
  /** The plan that is being paid for in another tab. */
  awaitedPlan: PlanId | undefined
  /** The plan whose payment this page has noticed. */
  paidPlan: PlanId | undefined
  /** Awaits the payment of a plan. */
  awaitPayment(plan: PlanId): void
}

const keyOf = ({ plan, until }: RoleGrant) => `${plan} ${until}`

/** Returns the paid plans of the signed-in account. After `awaitPayment` they are requested repeatedly, until the payment is noticed. */
export function useSubscription(uid: string): Subscription {
  const { data, status, retry: refresh } = useAccountInfo(uid)
  const [awaited, setAwaited] = useState<{ plan: PlanId; keysBefore: readonly string[]; hasEnded: boolean }>()
  const nowMs = Date.now()
  const grants = data?.grants?.filter(({ source, until }) => source === 'payment' && until !== undefined && Date.parse(until) > nowMs)
  const hasPaid = awaited && grants?.some((grant) => grant.plan === paidPlans[awaited.plan] && !awaited.keysBefore.includes(keyOf(grant)))
  const isAwaiting = awaited !== undefined && !awaited.hasEnded && !hasPaid

  useEffect(() => {
    if (!isAwaiting) return
    const poll = () => {
      if (document.visibilityState === 'visible') refresh()
    }
    const stops = [
      startInterval(poll, POLL_MS),
      startTimeout(() => setAwaited((state) => state && { ...state, hasEnded: true }), POLL_MAX_MS),
      listen(document, 'visibilitychange', poll),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }, [isAwaiting, refresh])

  return {
    grants,
    isUnknown: grants === undefined && status !== 'loading',
    awaitedPlan: isAwaiting ? awaited.plan : undefined,
    paidPlan: hasPaid ? awaited.plan : undefined,
    awaitPayment: (plan) => setAwaited({ plan, keysBefore: (grants ?? []).map(keyOf), hasEnded: false }),
  }
}

/**
 * Opens the checkout of a plan in a new tab. The server is asked first, because another device may have subscribed since. The tab is opened by the
 * press itself, so that no blocker of pop-ups prevents it.
 */
export function useOpenCheckout(plan: PlanId, onOpened: () => void) {
  const checkout = useAccountAction(async (api, tab: Window | null) => {
    try {
      const { url } = await api.call('POST /account/checkout', { plan })
      if (tab === null) location.assign(url)
      else tab.location.replace(url)
      onOpened()
    } catch (error) {
      tab?.close()
      throw error
    }
  })
  const { run } = checkout
  const open = useCallback(() => {
    const tab = window.open('', '_blank')
    if (tab) tab.opener = null
    void run(tab)
  }, [run])
  return { ...checkout, open }
}
