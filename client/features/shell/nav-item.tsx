import { Icon } from '../../ui/icon.tsx'
import styles from './nav-item.module.css'
import type { NavLink } from './nav-links.ts'

/** Renders a link or an action of a dropdown or of the mobile menu. */
export function NavItem({ link, onFollow }: { link: NavLink; onFollow: () => void }) {
  const linkContent = (
    <>
      <Icon name={link.icon} />
      {link.label}
      {link.isExternal && <Icon name="external" size="s" className={styles.away} />}
    </>
  )
  if (link.to === undefined) {
    const runAction = () => {
      onFollow()
      link.command?.()
    }
    return (
      <button type="button" className={styles.item} onClick={runAction}>
        {linkContent}
      </button>
    )
  }
  return (
    <a
      className={styles.item}
      href={link.to}
      {...(link.isExternal ? { target: '_blank', rel: 'noopener noreferrer' } : {})}
      onClick={(event) => {
        onFollow()
        if (!link.command || event.ctrlKey || event.metaKey || event.shiftKey) return
        event.preventDefault()
        link.command()
      }}
    >
      {linkContent}
    </a>
  )
}
