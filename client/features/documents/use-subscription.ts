import { useCallback, useEffect, useState } from 'react'
import type { PaidPlan, RoleGrant, SubscriptionInterruption } from '../../../contract/account.ts'
import type { PlanId } from '../../../contract/content.ts'
import { usePlanInfo } from '../../components/subscription-interruption.ts'
import { useAccountAction } from '../../hooks/account-data.ts'
import { addListener, startInterval, startTimeout } from '../../primitives/scope.ts'

/** The name of each plan at the payment provider. */
export const paymentPlanNames: Record<PlanId, PaidPlan> = { premium: 'premium', 'premium-plus': 'premium_plus', donate: 'donate' }

/** The time in milliseconds between two requests for the account while the page waits for a payment. A hidden page requests nothing. */
const POLL_MS = 5000
/** The time in milliseconds after which the page stops waiting for a payment. */
const POLLING_DURATION_MAX_MS = 20 * 60_000

/** The plans that an account has paid for, and the payment that the page is waiting for. */
export interface PaidSubscription {
  /** The active grants that were paid for; `undefined` until they are loaded. */
  grants: readonly RoleGrant[] | undefined
  /** Why a subscription of the account is not renewed although it still exists; `undefined` if there is no such subscription. */
  interruption: SubscriptionInterruption | undefined
  /** Whether the grants could not be loaded. */
  isPlanUnknown: boolean
  /** The plan whose payment the page is waiting for. The person pays in another tab. */
  awaitedPlan: PlanId | undefined
  /**
   * The plan for which a payment arrived after `awaitPayment` was called. It can be another one than the awaited plan, because the person
   * can choose again in the other tab.
   */
  paidPlan: PlanId | undefined
  /** Starts to wait for the payment of a plan. */
  awaitPayment(plan: PlanId): void
}

/** A payment that the page waits for, or waited for until `hasEnded`, and the paid grants at the time when Subscribe was pressed. */
interface AwaitedPayment {
  plan: PlanId
  grantsBefore: readonly RoleGrant[]
  hasEnded: boolean
}

const planIds = Object.keys(paymentPlanNames) as PlanId[]

/**
 * Returns the plan that was paid for since Subscribe was pressed: a plan that the account did not have, or the awaited plan with a changed
 * end. The renewal of a plan that is not awaited does not count.
 */
function findPaidPlan({ plan: awaitedPlan, grantsBefore }: AwaitedPayment, grants: readonly RoleGrant[]): PlanId | undefined {
  const paidGrant = grants.find(({ plan, until }) => {
    const earlierGrants = grantsBefore.filter((grant) => grant.plan === plan)
    return earlierGrants.length === 0 || (plan === paymentPlanNames[awaitedPlan] && earlierGrants.every((grant) => grant.until !== until))
  })
  return paidGrant && planIds.find((id) => paymentPlanNames[id] === paidGrant.plan)
}

/**
 * Returns the paid plans of the signed-in account. After a call of `awaitPayment` they are requested repeatedly, until a new payment is
 * among them.
 */
export function useSubscription(uid: string): PaidSubscription {
  const { data, status, retry: refreshAccountInfo } = usePlanInfo(uid)
  const [awaitedPayment, setAwaited] = useState<AwaitedPayment>()
  const nowMs = Date.now()
  const paidGrants = data?.grants?.filter(({ source, until }) => source === 'payment' && until !== undefined && Date.parse(until) > nowMs)
  const paidPlan = awaitedPayment && paidGrants && findPaidPlan(awaitedPayment, paidGrants)
  const isAwaitingPayment = awaitedPayment !== undefined && !awaitedPayment.hasEnded && paidPlan === undefined

  useEffect(() => {
    if (!isAwaitingPayment) return
    const pollGrants = () => {
      if (document.visibilityState === 'visible') refreshAccountInfo()
    }
    const stopFunctions = [
      startInterval(pollGrants, POLL_MS),
      startTimeout(() => setAwaited((state) => state && { ...state, hasEnded: true }), POLLING_DURATION_MAX_MS),
      addListener(document, 'visibilitychange', pollGrants),
    ]
    return () => {
      for (const stop of stopFunctions) stop()
    }
  }, [isAwaitingPayment, refreshAccountInfo])

  return {
    grants: paidGrants,
    interruption: data?.interrupted,
    isPlanUnknown: paidGrants === undefined && status !== 'loading',
    awaitedPlan: isAwaitingPayment ? awaitedPayment.plan : undefined,
    paidPlan,
    awaitPayment: (plan) => setAwaited({ plan, grantsBefore: paidGrants ?? [], hasEnded: false }),
  }
}

/**
 * Opens the checkout of a plan in a new tab. The server is asked first, because the account may have subscribed on another device since the page was
 * loaded. The tab is opened before the server responds, because browsers block tabs that are not opened directly by a press.
 */
export function useOpenCheckout(plan: PlanId, onOpened: () => void) {
  const startCheckout = useAccountAction(async (api, tab: Window | null) => {
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
  const { run } = startCheckout
  const openCheckoutTab = useCallback(() => {
    const tab = window.open('', '_blank')
    if (tab) tab.opener = null
    void run(tab)
  }, [run])
  return { ...startCheckout, open: openCheckoutTab }
}
