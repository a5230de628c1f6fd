/** The groups of events. The row of a group is locked while one of its events is added. */
export interface PaymentGroupsTable {
  id: string
}

/** The events of the payment provider that say something about roles. `fact` is JSON. */
export interface PaymentEventsTable {
  id: string
  group_id: string
  created: number
  /** Whom the event names: checkouts an account, they and invoices an address. */
  uid: string | null
  email: string | null
  fact: string
}

/** What the events grant. Derived from `payment_events`, and written with them. */
export interface PaidGrantsTable {
  group_id: string
  purchase: string
  plan: string
  role: string
  uid: string | null
  email: string | null
  until: number
}
