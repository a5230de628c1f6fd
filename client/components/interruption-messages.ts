import type { SubscriptionInterruption } from '../../contract/account.ts'

/** The messages about a paid subscription that still exists but is not renewed. */
export const interruptionMessages: Record<SubscriptionInterruption, string> = {
  payment_failed: 'Your last payment failed. Manage your subscription to update your card.',
  paused: 'Your subscription is paused. Manage your subscription to change it.',
}
