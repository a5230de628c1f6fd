import styles from './icon.module.css'
import { Icon, type IconName } from './icon.tsx'

const sharedIcons = {
  twitter: 'x',
  instagram: 'instagram',
  discord: 'discord',
  tiktok: 'tiktok',
} as const satisfies Record<string, IconName>

/** SVG paths like those of `Icon`. They are in a module of their own, because only websites of subscribers show them. */
const svgPaths = {
  youtube: 'M5.5 5h13A2.5 2.5 0 0 1 21 7.5v9a2.5 2.5 0 0 1-2.5 2.5h-13A2.5 2.5 0 0 1 3 16.5v-9A2.5 2.5 0 0 1 5.5 5zM10 9v6l5-3z',
  patreon: 'M5 4v16M14.5 4a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11z',
  facebook: 'M11 21v-7.5H8V10h3V7.5C11 4.8 12.5 3.5 15 3.5h2V7h-1.5c-1 0-1.5.5-1.5 1.5V10h3l-.5 3.5H14V21z',
  soundcloud: 'M3 14v3M6 11v6M9 9v8M12 17V7c4-1.5 6.3 1 6.5 4a3 3 0 0 1 0 6z',
  rumble: 'M5.5 6.5c0-2 1.7-2.8 3.3-1.9l9.5 5.6c1.6.9 1.6 2.7 0 3.6l-9.5 5.6c-1.6.9-3.3.1-3.3-1.9zM10 10v4l3.5-2z',
  spotify: 'M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18zM7 9.5c3.5-1 7-.7 10 1M7.5 12.8c3-.8 6-.5 8.5.9M8 16c2.5-.6 5-.4 7 .7',
  mail: 'M3 6h18v12H3zM3 7l9 6.5L21 7',
} as const

type SocialSite = keyof typeof sharedIcons | keyof typeof svgPaths

const isSharedIcon = (site: SocialSite): site is keyof typeof sharedIcons => site in sharedIcons

/** The decorative icon of a link to another site, or of a mail link. */
export function SocialIcon({ site, size = 'm' }: { site: SocialSite; size?: 's' | 'm' }) {
  if (isSharedIcon(site)) return <Icon name={sharedIcons[site]} size={size} />
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true" className={`${styles.icon} ${styles[size]}`}>
      <path d={svgPaths[site]} />
    </svg>
  )
}
