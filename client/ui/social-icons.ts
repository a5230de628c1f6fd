import type { IconName } from './icon.tsx'

/** The icon of each link to another site. Sites without an icon of their own have one of what they offer. */
export const socialIcons = {
  youtube: 'play',
  twitter: 'x',
  patreon: 'heart',
  facebook: 'people',
  instagram: 'instagram',
  discord: 'discord',
  tiktok: 'tiktok',
  soundcloud: 'volume',
  rumble: 'play',
  spotify: 'radio',
} as const satisfies Record<string, IconName>
