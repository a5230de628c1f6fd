import { classNames } from './class-names.ts'
import styles from './icon.module.css'

/** SVG paths in a 24 × 24 view box, drawn with a stroke. The brand sets line caps and joins. */
const strokePaths = {
  next: 'M5 5v14l10-7zM19 5v14',
  previous: 'M19 5v14L9 12zM5 5v14',
  shuffle: 'M3 7h3.5c5 0 6 10 11 10H21M3 17h3.5c1.8 0 3-1.2 4-2.8M13.5 9.6C14.5 8.1 15.7 7 17.5 7H21M18 4l3 3-3 3M18 14l3 3-3 3',
  loop: 'M4 12V7h15M16 4l3 3-3 3M20 12v5H5M8 14l-3 3 3 3',
  heart: 'M12 20S3.5 15 3.5 9a4.5 4.5 0 0 1 8.5-2.1A4.5 4.5 0 0 1 20.5 9c0 6-8.5 11-8.5 11z',
  search: 'M10.5 4a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13zM15.5 15.5 20.5 20.5',
  menu: 'M3 8h18M3 16h18',
  close: 'M5.5 5.5l13 13M18.5 5.5l-13 13',
  'chevron-down': 'M5 9l7 7 7-7',
  'chevron-up': 'M5 15l7-7 7 7',
  'chevron-left': 'M15 5l-7 7 7 7',
  'chevron-right': 'M9 5l7 7-7 7',
  'arrow-up': 'M12 20V4M5.5 10.5 12 4l6.5 6.5',
  'arrow-left': 'M20 12H4M10.5 5.5 4 12l6.5 6.5',
  link: 'M10 14l4-4M8.5 10.5 5.6 13.4a3.54 3.54 0 0 0 5 5l2.9-2.9M10.5 8.5l2.9-2.9a3.54 3.54 0 0 1 5 5l-2.9 2.9',
  check: 'M4.5 12.5l5 5 10-11',
  volume: 'M4 9.5v5h3.5L12 18.5v-13L7.5 9.5zM15.5 9a4.2 4.2 0 0 1 0 6M18 6.5a7.8 7.8 0 0 1 0 11',
  mute: 'M4 9.5v5h3.5L12 18.5v-13L7.5 9.5zM16 9.5l5 5M21 9.5l-5 5',
  queue: 'M3 6h18M3 11h18M3 16h9M16 14.5v6l5-3z',
  moon: 'M19.5 14.5A8 8 0 0 1 9.5 4.5a8 8 0 1 0 10 10z',
  flag: 'M5 21V4h13l-3 4.5 3 4.5H5',
  external: 'M13 4h7v7M20 4l-9 9M17 14v6H4V7h6',
  user: 'M12 4a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM4.5 20.5c0-4 3.3-5.5 7.5-5.5s7.5 1.5 7.5 5.5',
  eye: 'M2.5 12c2.5-4.5 5.5-6.5 9.5-6.5s7 2 9.5 6.5c-2.5 4.5-5.5 6.5-9.5 6.5s-7-2-9.5-6.5zM12 9a3 3 0 1 1 0 6 3 3 0 0 1 0-6z',
  leave: 'M9.5 4H4v16h5.5M9.5 12H20M15.5 7l5 5-5 5',
  warning: 'M12 4 2.8 20h18.4zM12 10v4.5M12 17v.5',
  offline:
    'M3 3l18 18M5 12.5a10 10 0 0 1 4.5-2.6M13.5 9.7a10 10 0 0 1 5.5 2.8M8.5 16a5 5 0 0 1 6-.6M2.5 9a14 14 0 0 1 3.7-2.4M10.5 5.2A14 14 0 0 1 21.5 9M12 19.5v.2',
  grip: 'M4 9h16M4 15h16',
  plus: 'M12 4v16M4 12h16',
  minus: 'M4 12h16',
  file: 'M6 3h8l5 5v13H6zM14 3v5h5',
  trash: 'M4 7h16M9 7V4h6v3M6.5 7l1 13h9l1-13M10 11v5.5M14 11v5.5',
  instagram: 'M4 4h16v16H4zM12 8a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM16.8 7.2h.2',
  x: 'M4 4l16 16M8 4H4l12 16h4zM4 20l6.5-7M20 4l-6.5 7',
  tiktok: 'M13.5 4v11.5a3.5 3.5 0 1 1-3.5-3.5M13.5 4c.3 3 2.3 4.8 5 5',
  discord:
    'M8.5 6 6 6.8C4.5 9.5 3.5 13 3.5 17c1.5 1.2 3 1.8 4.5 2l1-2M15.5 6l2.5.8c1.5 2.7 2.5 6.2 2.5 10.2-1.5 1.2-3 1.8-4.5 2l-1-2M7.5 16.5c3 1 6 1 9 0M8.5 6.5c2.3-.7 4.7-.7 7 0M9 12.5v.5M15 12.5v.5',
  gift: 'M4 8h16v4H4zM5.5 12v8h13v-8M12 8v12M12 8C8 8 7 6.5 7 5.3 7 3.5 9 3.2 10.2 4.5 11.2 5.5 12 8 12 8zM12 8c4 0 5-1.5 5-2.7 0-1.8-2-2.1-3.2-.8C12.8 5.5 12 8 12 8z',
  list: 'M8.5 6H21M8.5 12H21M8.5 18H21M3.5 6h.5M3.5 12h.5M3.5 18h.5',
  radio: 'M4 9h16v11H4zM7 9l9-5M15.5 12.5a2 2 0 1 1 0 4 2 2 0 0 1 0-4zM7 13h4M7 16h4',
  people:
    'M9 5a3.5 3.5 0 1 1 0 7 3.5 3.5 0 0 1 0-7zM2.5 19.5c0-3.5 2.9-4.8 6.5-4.8s6.5 1.3 6.5 4.8M16 5.3a3.5 3.5 0 0 1 0 6.4M18 15c2.2.6 3.5 2 3.5 4.5',
  info: 'M12 3.5a8.5 8.5 0 1 1 0 17 8.5 8.5 0 0 1 0-17zM12 11v5.5M12 7.5v.3',
  download: 'M12 4v11M6.5 10 12 15.5 17.5 10M4 17v3h16v-3',
  share: 'M12 15V3.5M8 7.2l4-3.7 4 3.7M8 10.5H5v10h14v-10h-3',
  settings: 'M4 7h9M17 7h3M4 17h3M11 17h9M15 4.5v5M9 14.5v5',
} as const

const fillPaths = {
  play: 'M6 4v16l14-8z',
  pause: 'M6 4h4v16H6zM14 4h4v16h-4z',
  'heart-filled': 'M12 20.5S3 15.3 3 9a5 5 0 0 1 9-3 5 5 0 0 1 9 3c0 6.3-9 11.5-9 11.5z',
  more: 'M5 10.5h0a1.5 1.5 0 1 1 0 3 1.5 1.5 0 0 1 0-3zM12 10.5a1.5 1.5 0 1 1 0 3 1.5 1.5 0 0 1 0-3zM19 10.5a1.5 1.5 0 1 1 0 3 1.5 1.5 0 0 1 0-3z',
} as const

export type IconName = keyof typeof strokePaths | keyof typeof fillPaths

const isFillIcon = (name: IconName): name is keyof typeof fillPaths => name in fillPaths

/** A decorative icon, hidden from screen readers: the element around it provides the accessible name. */
export function Icon({ name, size = 'm', className }: { name: IconName; size?: 's' | 'm' | 'l'; className?: string | undefined }) {
  return (
    <svg
      viewBox="0 0 24 24"
      aria-hidden="true"
      className={classNames(styles.icon, styles[size], isFillIcon(name) && styles.fill, className)}
    >
      <path d={isFillIcon(name) ? fillPaths[name] : strokePaths[name]} />
    </svg>
  )
}
