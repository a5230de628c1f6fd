import type { Site } from '../../../contract/site.ts'
import type { IconName } from '../../ui/icon.tsx'

export interface NavLink {
  label: string
  /** Without it, only `command` is done. */
  to?: string
  icon: IconName
  /** Leads to another site: opened in a new tab. */
  away?: boolean
  /** What a plain press does instead of following `to`. */
  command?: () => void
}

export interface NavGroup {
  id: 'explore' | 'community' | 'account'
  label: string
  links: readonly NavLink[]
}

/** The bar's dropdowns. */
export function navGroups(site: Site, randomSong: () => void): NavGroup[] {
  const { SOCIAL_DISCORD } = site.settings
  return [
    {
      id: 'explore',
      label: 'Explore',
      links: [
        { label: 'Playlists', to: '/playlists', icon: 'list' },
        { label: 'Random Song', to: '/go/random', icon: 'shuffle', command: randomSong },
        { label: 'Radio', to: site.radio_url, icon: 'radio' },
      ],
    },
    {
      id: 'community',
      label: 'Community',
      links: [
        { label: 'Network', to: '/network', icon: 'people' },
        { label: 'About Us', to: '/about-us', icon: 'info' },
        ...(SOCIAL_DISCORD ? [{ label: 'Discord', to: SOCIAL_DISCORD, icon: 'discord', away: true } as const] : []),
      ],
    },
  ]
}

/** What the account's dropdown leads to. */
export const accountLinks = (favorites: () => void, signOut: () => void): NavLink[] => [
  { label: 'Dashboard', to: '/account', icon: 'user' },
  { label: 'Favorites', to: '/account#favorites', icon: 'heart', command: favorites },
  { label: 'Sign out', icon: 'leave', command: signOut },
]
