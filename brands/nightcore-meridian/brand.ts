import type { Brand } from '../brand.ts'
import { settings } from './settings.ts'
import { designTokens } from './tokens.ts'

export const nightcoreMeridian: Brand = {
  id: 'nightcore-meridian',
  short_name: 'Nightcore',
  settings,
  texts: {
    hero_link_label: 'What is nightcore?',
    community_title: 'Come for the drop, stay for the people',
    passion_title: 'We do this at full speed',
    tagline: 'Fast songs, hand-picked.',
    genre: 'Nightcore',
  },
  tokens: designTokens,
  // Nightcore songs are played 20 to 35 percent faster than the original.
  hero: { rate: 1.25, from_rate: 1.2, to_rate: 1.35 },
}
