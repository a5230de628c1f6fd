import { classNames } from './class-names.ts'
import styles from './icon.module.css'

/**
 * SVG paths in a 24 × 24 view box, drawn with a stroke like those of `Icon`. They are in a module of their own, because only pages with
 * long texts show them.
 */
const svgPaths = {
  audience: 'M9 5a3.5 3.5 0 1 1 0 7 3.5 3.5 0 0 1 0-7zM2.5 19.5c0-3.5 2.9-4.8 6.5-4.8s6.5 1.3 6.5 4.8M19 8v6M16 11h6',
  calendar: 'M4 6h16v14H4zM4 10.5h16M8 3.5V8M16 3.5V8M8 14.5h3',
  community:
    'M9 5a3.5 3.5 0 1 1 0 7 3.5 3.5 0 0 1 0-7zM2.5 19.5c0-3.5 2.9-4.8 6.5-4.8s6.5 1.3 6.5 4.8M16 5.3a3.5 3.5 0 0 1 0 6.4M18 15c2.2.6 3.5 2 3.5 4.5',
  feedback: 'M4 5h16v11h-9l-4 4v-4H4zM8 9h8M8 12h5',
  globe: 'M12 3.5a8.5 8.5 0 1 1 0 17 8.5 8.5 0 0 1 0-17zM3.5 12h17M12 3.5c5 5 5 12 0 17M12 3.5c-5 5-5 12 0 17',
  launch: 'M12 3c4 3 5 7 4 12H8C7 10 8 6 12 3zM8 12l-3 4v2h3M16 12l3 4v2h-3M12 8v2M12 18v3',
  music:
    'M9 18V6l10-2v12M6.500 15.500a2.500 2.500 0 1 1 0 5 2.500 2.500 0 0 1 0-5zM16.500 13.500a2.500 2.500 0 1 1 0 5 2.500 2.500 0 0 1 0-5z',
  radio: 'M4 9h16v11H4zM7 9l9-5M15.5 12.5a2 2 0 1 1 0 4 2 2 0 0 1 0-4zM7 13h4M7 16h4',
  robot: 'M5 9h14v10H5zM12 9V5M12 3.5v.5M9 13v1.500M15 13v1.500M2.500 12.500v3M21.500 12.500v3',
  shield: 'M12 3.5 19.500 6v6c0 4.500-3 7-7.500 8.500-4.500-1.500-7.500-4-7.500-8.500V6zM8.500 12l2.500 2.500 4.500-5',
  star: 'M12 3.500l2.600 5.500 6 .8-4.400 4.200 1.100 6L12 17.100 6.700 20l1.100-6-4.400-4.200 6-.8z',
} as const

export type ContentIconName = keyof typeof svgPaths

/** A decorative icon of a benefit or milestone. Renders nothing for an unknown name, which a manipulated row may contain. */
export function ContentIcon({ name }: { name: ContentIconName }) {
  if (!Object.hasOwn(svgPaths, name)) return null
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true" className={classNames(styles.icon, styles.m)}>
      <path d={svgPaths[name]} />
    </svg>
  )
}
