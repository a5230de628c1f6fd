import type { Settings, Site } from '../contract/site.ts'

/** The roles that `client/ui` gives to design tokens; every brand fills all of them with CSS values. */
export const tokenNames = [
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
  'r-key',
  'air',
  'dur',
  'ease',
  'spin',
  'glow',
  'elev',
  'icon-cap',
  'icon-join',
] as const
export type TokenName = (typeof tokenNames)[number]

export interface TimelineEntry {
  title: string
  description: string
  /** ISO date. */
  date: string
  icon: string
}

/** A brand: everything that makes one site look and speak differently from another. Code never asks which one it is. */
export interface Brand {
  id: string
  /** A host name that contains this word gets the brand; the brand without one is the default. */
  hostWord?: string
  /** The name under an icon: 12 letters or fewer. */
  short_name: string
  settings: Settings
  texts: Site['texts']
  tokens: Record<TokenName, string>
  /** The rate (1 = as recorded) that the hero's ruler points at, and the range it marks. */
  hero: Site['hero']
}
