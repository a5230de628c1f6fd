import type { ContentSettings } from '../../../contract/content.ts'

/** The cards of the page /subscribe. */
export const plans: ContentSettings['PLANS'] = [
  {
    id: 'premium',
    title: 'Premium',
    price: '6.99 EUR',
    period: 'per month',
    action: 'Subscribe',
    most_popular: false,
    roles: ['Subscriber'],
    perks: [
      { text: 'A quiet website at your own name' },
      { text: 'Full access to the maker: speed, pitch, a room of any size, WAV without clipping' },
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
    perks: [{ text: 'A donator badge' }, { text: 'Our thanks: the radio runs another night' }],
  },
]
