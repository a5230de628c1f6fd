import type { ReactNode } from 'react'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { usePopover } from '../../ui/use-popover.ts'
import styles from './nav-dropdown.module.css'
import { NavItem } from './nav-item.tsx'
import type { NavGroup } from './nav-links.ts'

interface NavDropdownProps {
  group: NavGroup
  head?: ReactNode
  foot?: ReactNode
  /** The icon that is shown instead of the button's text. The text is then only the accessible name. */
  icon?: IconName
}

/** A button that opens a group of links in a popover. The browser closes the popover when another opens, on Escape and on a press outside. */
export function NavDropdown({ group, head, foot, icon }: NavDropdownProps) {
  const popover = usePopover<HTMLButtonElement, HTMLUListElement>(icon ? 'end' : 'start')
  const panelId = `nav-${group.id}`
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: handles keys and focus of the button and links inside.
    <div
      className={styles.holder}
      onKeyDown={(event) => {
        const isOnButton = event.target === popover.button.current
        if (!isOnButton) popover.moveFocus(event)
        else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
          event.preventDefault()
          popover.show(event.key === 'ArrowDown' ? 'first' : 'last')
        }
      }}
      onBlur={(event) => {
        if (event.relatedTarget && !event.currentTarget.contains(event.relatedTarget)) popover.hide()
      }}
    >
      <button
        ref={popover.button}
        type="button"
        className={icon ? styles.iconButton : styles.button}
        aria-label={icon && group.label}
        aria-expanded={popover.open}
        aria-controls={panelId}
        onClick={popover.toggle}
      >
        {icon ? (
          <Icon name={icon} />
        ) : (
          <>
            {group.label}
            <Icon name="chevron-down" size="s" className={styles.chevron} />
          </>
        )}
      </button>
      <ul ref={popover.panel} id={panelId} popover="auto" className={styles.panel}>
        {head && <li className={styles.head}>{head}</li>}
        {group.links.map((link) => (
          <li key={link.label}>
            <NavItem link={link} onFollow={popover.hide} />
          </li>
        ))}
        <li className={styles.foot}>{foot}</li>
      </ul>
    </div>
  )
}
