import { subscriptionPlans } from '../../plans.ts'

/** The cards of the page /subscribe. */
export const plans = subscriptionPlans({
  website: 'A personal website at your own name',
  maker: 'Full access to the maker: speed, pitch, reverb, WAV without clipping',
  thanks: 'Our thanks: it pays for the machine that the radio runs on',
})
