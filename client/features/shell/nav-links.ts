import type { Site } from '../../../contract/site.ts'
import type { IconName } from '../../ui/icon.tsx'

export interface NavLink {
  label: string
  /** The path or URL of the link, absent for an action without a page. */
  to?: string
  icon: IconName
  /** Whether the link leads to another site and opens in a new tab. */
  isExternal?: boolean
  /** The function that is called instead of following `to`, unless the press opens a new tab or window. */
  command?: () => void
}

export interface NavGroup {
  id: 'explore' | 'community' | 'account'
  label: string
  links: readonly NavLink[]
}

export function createNavGroups(site: Site, openRandomSong: () => void): NavGroup[] {
  const { SOCIAL_DISCORD } = site.settings
  return [
    {
      id: 'explore',
      label: 'Explore',
      links: [
        { label: 'Playlists', to: '/playlists', icon: 'list' },
        { label: 'Random Song', to: '/go/random', icon: 'shuffle', command: openRandomSong },
        { label: 'Radio', to: site.radio_url, icon: 'radio' },
        { label: 'Your playlists', to: '/playlists#own-playlists', icon: 'list' },
      ],
    },
    {
      id: 'community',
      label: 'Community',
      links: [
        { label: 'Network', to: '/network', icon: 'people' },
        { label: 'Latest', to: '/latest', icon: 'flag' },
        { label: 'About Us', to: '/about-us', icon: 'info' },
        ...(SOCIAL_DISCORD ? [{ label: 'Discord', to: SOCIAL_DISCORD, icon: 'discord', isExternal: true } as const] : []),
      ],
    },
  ]
}

export const createAccountLinks = (openFavorites: () => void, signOut: () => void): NavLink[] => [
  { label: 'Dashboard', to: '/account', icon: 'user' },
  { label: 'Favorites', to: '/account#favorites', icon: 'heart', command: openFavorites },
  { label: 'Maker', to: '/account/maker', icon: 'settings' },
  { label: 'Storage', to: '/storage', icon: 'download' },
  { label: 'Sign out', icon: 'leave', command: signOut },
]
