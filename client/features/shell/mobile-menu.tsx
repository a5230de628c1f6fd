import { type ReactNode, useState } from 'react'
import { InstallButton } from '../../components/install-button.tsx'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import typeStyles from '../../ui/type.module.css'
import styles from './mobile-menu.module.css'
import { NavItem } from './nav-item.tsx'
import type { NavGroup, NavLink } from './nav-links.ts'

interface MobileMenuProps {
  open: boolean
  onClose: () => void
  groups: readonly NavGroup[]
  accountButton: ReactNode
}

const deviceLinks: readonly NavLink[] = [
  { label: 'Search', to: '/search', icon: 'search' },
  { label: 'Recently played', to: '/recent', icon: 'queue' },
  { label: 'Storage', to: '/storage', icon: 'download' },
]

/** Renders the navigation as a full-height sheet. One group of links is open at a time, initially the first one. */
export function MobileMenu({ open, onClose, groups, accountButton }: MobileMenuProps) {
  const [openGroup, setOpenGroup] = useState(groups[0]?.id)
  return (
    <Dialog open={open} onClose={onClose} title="Menu" shape="sheet">
      <div className={styles.groups}>
        {groups.map((group) => {
          const isGroupOpen = group.id === openGroup
          return (
            <section key={group.id} className={styles.group}>
              <button
                type="button"
                className={classNames(typeStyles.head, typeStyles.d2, styles.heading)}
                aria-expanded={isGroupOpen}
                aria-controls={`menu-${group.id}`}
                onClick={() => setOpenGroup(isGroupOpen ? undefined : group.id)}
              >
                {group.label}
                <Icon name="chevron-down" className={styles.chevron} />
              </button>
              <ul id={`menu-${group.id}`} hidden={!isGroupOpen} className={styles.links}>
                {group.links.map((link) => (
                  <li key={link.label}>
                    <NavItem link={link} onFollow={onClose} />
                  </li>
                ))}
              </ul>
            </section>
          )
        })}
        <ul className={classNames(styles.links, styles.device)}>
          {deviceLinks.map((link) => (
            <li key={link.label}>
              <NavItem link={link} onFollow={onClose} />
            </li>
          ))}
        </ul>
      </div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: closes the menu after a link inside is followed. */}
      <div
        className={styles.end}
        onClick={(event) => {
          if (event.target instanceof Element && event.target.closest('a')) onClose()
        }}
      >
        <Button to="/subscribe" variant="primary" size="big">
          Subscriptions
        </Button>
        {accountButton}
        <InstallButton size="big" />
      </div>
    </Dialog>
  )
}
