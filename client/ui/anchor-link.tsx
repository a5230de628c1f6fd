import styles from './anchor-link.module.css'
import { Icon } from './icon.tsx'

/** A link that points to an anchor on the page itself, so that a person can copy and share the URL of the anchor. */
export function AnchorLink({ id, children }: { id: string; children: string }) {
  return (
    <a className={styles.anchor} href={`#${id}`}>
      <Icon name="link" size="s" />
      {children}
    </a>
  )
}
