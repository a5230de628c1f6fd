import type { Brand } from '../brand.ts'
import { settings } from './settings.ts'
import { designTokens } from './tokens.ts'

export const slowedReverbMeridian: Brand = {
  id: 'slowed-reverb-meridian',
  hostWord: 'slowedreverb',
  short_name: 'Slowed',
  settings,
  texts: {
    hero_link_label: 'What is slowed and reverb?',
    community_title: 'There is room on the balcony',
    passion_title: 'Why we take our time',
    tagline: 'Slow songs, in a large warm room.',
    genre: 'Slowed',
  },
  tokens: designTokens,
  hero: { rate: 0.85, from_rate: 0.75, to_rate: 0.9 },
}
