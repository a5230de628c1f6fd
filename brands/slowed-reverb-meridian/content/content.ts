import type { ContentSettings } from '../../../contract/content.ts'
import { createSubscriptionPlans } from '../../plans.ts'
import { createPrivacyPolicy } from '../../privacy.ts'
import { settings } from '../settings.ts'
import { faq } from './faq.ts'
import { academySection, memberBenefits } from './network.ts'
import { timeline } from './timeline.ts'
import { whatIsPageHtml } from './what-is.ts'

/** The subscription plans, each of which is a card of the page /subscribe. */
const plans = createSubscriptionPlans({
  website: 'A quiet website at your own name',
  maker: 'Full access to the maker: speed, pitch, a room of any size, WAV without clipping',
  thanks: 'Our thanks: the radio runs another night',
})

export const content: ContentSettings = {
  FAQ: faq,
  TIMELINE: timeline,
  PRIVACY: createPrivacyPolicy(settings.NAME),
  PLANS: plans,
  BENEFITS: memberBenefits,
  ACADEMY: academySection,
  WHAT_IS_CONTENT: whatIsPageHtml,
}
