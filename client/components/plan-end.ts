import type { AccountInfo, PaidPlan } from '../../contract/account.ts'
import { formatLongDate } from '../ui/format.ts'

export const planNames: Record<PaidPlan, string> = { premium: 'Premium', premium_plus: 'Premium+', donate: 'Donation' }

/** Formats the last day of a plan that ends at `until`: for midnight, the day before. */
export const lastDayOf = (until: string) => formatLongDate(new Date(Date.parse(until) - 1).toISOString())

/** Returns the sentence with the name of an ended subscription and its last day. */
export const describeEnd = ({ plan, until }: NonNullable<AccountInfo['ended']>) =>
  `${plan === undefined ? 'Your subscription' : planNames[plan]} ended on ${lastDayOf(until)}.`
