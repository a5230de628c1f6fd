import Type, { type Static } from 'typebox'

/** A plan that people pay for, as the payment provider's metadata names it. */
export const PaidPlan = Type.Union([Type.Literal('premium'), Type.Literal('premium_plus'), Type.Literal('donate')])
export type PaidPlan = Static<typeof PaidPlan>
