import type { SubscriptionInterruption } from '../../contract/account.ts'

/** The messages about a paid subscription that still exists although it is not renewed, or although its last payment was taken back. */
export const interruptionMessages: Record<SubscriptionInterruption, string> = {
  payment_failed: 'Your last payment failed. Manage your subscription to update your card.',
  paused: 'Your subscription is paused. Manage your subscription to change it.',
  disputed:
    'Your last payment was disputed and taken back, so your plan is off until the next payment. Manage your subscription to change or end it.',
}
