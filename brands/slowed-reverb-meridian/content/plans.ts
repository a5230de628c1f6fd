import { subscriptionPlans } from '../../plans.ts'

/** The cards of the page /subscribe. */
export const plans = subscriptionPlans({
  website: 'A quiet website at your own name',
  maker: 'Full access to the maker: speed, pitch, a room of any size, WAV without clipping',
  thanks: 'Our thanks: the radio runs another night',
})
