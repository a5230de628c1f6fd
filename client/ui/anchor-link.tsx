import styles from './anchor-link.module.css'
import { Icon } from './icon.tsx'

/** A link to a part of the page, for sharing its address. */
export function AnchorLink({ id, children }: { id: string; children: string }) {
  return (
    <a className={styles.anchor} href={`#${id}`}>
      <Icon name="link" size="s" />
      {children}
    </a>
  )
}
