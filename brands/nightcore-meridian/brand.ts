import type { Brand } from '../brand.ts'
import { settings } from './settings.ts'
import { tokens } from './tokens.ts'

export const nightcoreMeridian: Brand = {
  id: 'nightcore-meridian',
  short_name: 'Nightcore',
  settings,
  texts: {
    hero_link_label: 'What is nightcore?',
    community_title: 'Come for the drop, stay for the people',
    passion_title: 'We do this at full speed',
    tagline: 'Fast songs, hand-picked.',
  },
  tokens,
  // Nightcore is sped up by 20 to 35 percent.
  hero: { rate: 1.25, from_rate: 1.2, to_rate: 1.35 },
}
