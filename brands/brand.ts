import type { Settings, Site } from '../contract/site.ts'

/** Names of the design tokens that the style sheets of `client/ui` use. Every brand sets a CSS value for each. */
export const designTokenNames = [
  'surface-0',
  'surface-1',
  'surface-2',
  'surface-3',
  'line',
  'line-2',
  'edge',
  'text',
  'muted',
  'accent',
  'accent-2',
  'accent-ink',
  'accent-wash',
  'good',
  'bad',
  'bad-wash',
  'scale',
  'art-1',
  'art-2',
  'art-3',
  'art-4',
  'art-5',
  'display-wdth',
  'display-ch',
  'display-wght',
  'display-track',
  'display-lead',
  'head-wdth',
  'head-wght',
  'mono-wdth',
  'd-1',
  'd-2',
  'd-3',
  'd-4',
  'r-1',
  'r-2',
  'r-3',
  'r-button',
  'air',
  'dur',
  'ease',
  'spin',
  'glow',
  'elev',
  'icon-cap',
  'icon-join',
] as const
export type DesignTokenName = (typeof designTokenNames)[number]

/** The texts, settings, colours and typography of one site. Code never compares brand ids; all differences are data. */
export interface Brand {
  id: string
  /** A host whose name contains this word belongs to the brand. Exactly one brand has no word: the default. */
  hostWord?: string
  /** The name below the icon of the installed app, at most 12 characters long. */
  short_name: string
  settings: Settings
  texts: Site['texts']
  tokens: Record<DesignTokenName, string>
  /** The playback rates on the ruler of the home page (1 is the original speed): the rate that is marked, and the range around it. */
  hero: Site['hero']
}
