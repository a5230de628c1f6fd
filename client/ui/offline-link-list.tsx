import { Icon } from './icon.tsx'
import styles from './offline-link-list.module.css'
import typeStyles from './type.module.css'

interface OfflineLink {
  label: string
  to: string
  /** Whether the playlist was downloaded for offline use. */
  pinned: boolean
}

/** Links to pages that are available offline, shown on a page that cannot be loaded. Renders nothing without links. */
export function OfflineLinkList({ title, links }: { title: string; links: readonly OfflineLink[] }) {
  if (links.length === 0) return null
  return (
    <section className={styles.section}>
      <h2 className={`${typeStyles.head} ${typeStyles.d1}`}>{title}</h2>
      <ul className={styles.list}>
        {links.map(({ label, to, pinned }) => (
          <li key={to}>
            <a className={styles.link} href={to}>
              <span className={styles.label}>{label}</span>
              {pinned && <span className={typeStyles.legend}>Kept offline</span>}
              <Icon name="chevron-right" size="s" className={styles.arrow} />
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
