import type { ContentSettings } from '../contract/content.ts'

/** A brand's wording for the benefits of its subscription plans. */
interface PerkTexts {
  website: string
  maker: string
  thanks: string
}

/** Returns the cards of the page /subscribe. Prices and roles are the same for all brands. */
export const createSubscriptionPlans = ({ website, maker, thanks }: PerkTexts): ContentSettings['PLANS'] => [
  {
    id: 'premium',
    title: 'Premium',
    price: '6.99 EUR',
    period: 'per month',
    action: 'Subscribe',
    most_popular: false,
    roles: ['Subscriber'],
    perks: [
      { text: website },
      { text: maker },
      { text: 'A promotion schedule: your channel on our home pages' },
      { text: 'Custom artwork for your channel', only_with: 'DESIGNER' },
    ],
  },
  {
    id: 'premium-plus',
    title: 'Premium+',
    price: '9.99 EUR',
    period: 'per month',
    action: 'Subscribe',
    most_popular: true,
    roles: ['Subscriber', 'Donator'],
    perks: [{ text: 'Everything in Premium' }, { text: 'A donator badge on your site and your dashboard' }],
  },
  {
    id: 'donate',
    title: 'Donate',
    price: 'A custom amount',
    period: '',
    action: 'Donate',
    most_popular: false,
    roles: ['Donator'],
    perks: [{ text: 'A donator badge' }, { text: thanks }],
  },
]
