import type { AccountInfo } from '../../contract/account.ts'
import type { PaidPlan } from '../../contract/plans.ts'
import { formatLongDate } from '../ui/format.ts'

export const planNames: Record<PaidPlan, string> = { premium: 'Premium', premium_plus: 'Premium+', donate: 'Donation' }

/** Formats the last day of what lasts until a time: of midnight, the day before it. */
export const lastDayOf = (until: string) => formatLongDate(new Date(Date.parse(until) - 1).toISOString())

/** Says which subscription ended, and when. */
export const describeEnd = ({ plan, until }: NonNullable<AccountInfo['ended']>) =>
  `${plan === undefined ? 'Your subscription' : planNames[plan]} ended on ${lastDayOf(until)}.`
