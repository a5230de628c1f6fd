import type { Role } from '../../../contract/account.ts'
import type { PaidPlan } from '../../../contract/plans.ts'
import type { RoleHolder } from './roles.ts'

/** A paid checkout. It says whose payment it is. */
interface CheckoutFact {
  kind: 'checkout'
  /** The subscription that was bought; undefined for a donation. */
  subscription: string | undefined
  /** Undefined if the checkout's link has no plan, or an unknown one. */
  plan: PaidPlan | undefined
  /** The uid that the checkout's link carried. */
  uid: string | undefined
  /** In lower case. */
  email: string | undefined
  /** When the checkout was opened, from which a donation's days count; 0 if unknown. */
  beganMs: number
  /** For how many days a donation gives its role. */
  donatorDays: number
}

/** The state of a subscription at the time of its event. */
export interface SubscriptionFact {
  kind: 'subscription'
  subscription: string
  plan: PaidPlan | undefined
  status: string
  isDeleted: boolean
  periodEndMs: number
}

/** A paid invoice of a subscription. */
interface InvoiceFact {
  kind: 'invoice'
  subscription: string
  periodEndMs: number
  email: string | undefined
}

/** A full refund of a donation. */
interface RefundFact {
  kind: 'refund'
}

/**
 * An event of the payment provider. `group` is the customer of subscriptions, or the payment of a donation: the grants of a group depend on the events of
 * the group alone.
 */
export interface PaymentEvent {
  id: string
  group: string
  createdMs: number
  fact: CheckoutFact | SubscriptionFact | InvoiceFact | RefundFact
}

/** What a payment grants, to an account or, if no account is known, to an email address. `purchase` is the id of its subscription or payment. */
export interface PaidGrant {
  purchase: string
  plan: PaidPlan
  role: Role
  uid: string | undefined
  email: string | undefined
  untilMs: number
}

/** The events of the payment provider, and what they grant. */
export interface PaymentStore {
  /**
   * Stores an event, and what its group grants with it: the result of `grantsOf` for all events of the group. Returns false, and changes nothing, if the
   * event was stored before.
   */
  record(event: PaymentEvent, grantsOf: (events: readonly PaymentEvent[]) => PaidGrant[]): Promise<boolean>
  /** Lists what payments grant an account, also what has ended, the latest end first. */
  listGrants(holder: RoleHolder): Promise<PaidGrant[]>
  /** Forgets the account that payments were for. They are then for who verifies their email address. */
  release(uid: string): Promise<void>
}
