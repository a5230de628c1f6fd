import type { ContentSettings } from '../../../contract/content.ts'
import { privacyPolicy } from '../../privacy.ts'
import { settings } from '../settings.ts'
import { faq } from './faq.ts'
import { academy, benefits } from './network.ts'
import { plans } from './plans.ts'
import { timeline } from './timeline.ts'
import { whatIs } from './what-is.ts'

export const content: ContentSettings = {
  FAQ: faq,
  TIMELINE: timeline,
  PRIVACY: privacyPolicy(settings.NAME),
  PLANS: plans,
  BENEFITS: benefits,
  ACADEMY: academy,
  WHAT_IS_CONTENT: whatIs,
}
