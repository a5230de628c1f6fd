import { Icon } from '../../ui/icon.tsx'
import styles from './nav-item.module.css'
import type { NavLink } from './nav-links.ts'

/** One link, or one action, of a dropdown or of the phone's menu. */
export function NavItem({ link, onFollow }: { link: NavLink; onFollow: () => void }) {
  const words = (
    <>
      <Icon name={link.icon} />
      {link.label}
      {link.away && <Icon name="external" size="s" className={styles.away} />}
    </>
  )
  if (link.to === undefined) {
    const act = () => {
      onFollow()
      link.command?.()
    }
    return (
      <button type="button" className={styles.item} onClick={act}>
        {words}
      </button>
    )
  }
  return (
    <a
      className={styles.item}
      href={link.to}
      {...(link.away ? { target: '_blank', rel: 'noopener noreferrer' } : {})}
      onClick={(event) => {
        onFollow()
        if (!link.command || event.ctrlKey || event.metaKey || event.shiftKey) return
        event.preventDefault()
        link.command()
      }}
    >
      {words}
    </a>
  )
}
