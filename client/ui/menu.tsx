import { Fragment } from 'react'
import { classNames } from './class-names.ts'
import { Icon, type IconName } from './icon.tsx'
import { IconButton } from './icon-button.tsx'
import styles from './menu.module.css'
import { usePopover } from './use-popover.ts'

export interface MenuItem {
  id: string
  label: string
  icon?: IconName
  disabled?: boolean
  /** A choice among others: shown with a mark, and as `menuitemradio`. */
  checked?: boolean
  /** A line above it. */
  divided?: boolean
  /** Either where it leads, or what it does. */
  to?: string
  onSelect?: () => void
}

interface MenuProps {
  /** The button's accessible name; with `icon` it shows the drawing only. */
  label: string
  icon?: IconName
  /** The button's words where they differ from its name. */
  text?: string
  items: readonly MenuItem[]
  align?: 'start' | 'end'
  className?: string
}

/** A button with a menu of actions. Arrow keys, Home, End and first letters move; Escape and Tab close. */
export function Menu({ label, icon, text, items, align = 'end', className }: MenuProps) {
  const popover = usePopover<HTMLButtonElement, HTMLDivElement>(align)

  const choose = (item: MenuItem) => {
    popover.hide()
    // Focus first: what is chosen may move it on, into a dialog say, which gives it back here.
    popover.button.current?.focus()
    item.onSelect?.()
  }

  const onPanelKey = (event: React.KeyboardEvent) => {
    popover.moveFocus(event)
    if (event.key === 'Tab') popover.hide()
    if (event.key.length === 1 && event.key !== ' ') {
      const letter = event.key.toLowerCase()
      const found = items.find((item) => !item.disabled && item.label.toLowerCase().startsWith(letter))
      if (found) popover.panel.current?.querySelector<HTMLElement>(`[data-item="${CSS.escape(found.id)}"]`)?.focus()
    }
  }

  const trigger = {
    'aria-haspopup': 'menu',
    'aria-expanded': popover.open,
    // A click without a pointer is a key's: whoever works by keys goes on in the menu.
    onClick: (event: React.MouseEvent) => (event.detail === 0 ? popover.show('first') : popover.toggle()),
    onKeyDown: (event: React.KeyboardEvent) => {
      if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
      event.preventDefault()
      popover.show(event.key === 'ArrowDown' ? 'first' : 'last')
    },
  } as const

  return (
    <span className={classNames(styles.holder, className)}>
      {icon && text === undefined ? (
        <IconButton ref={popover.button} icon={icon} label={label} {...trigger} />
      ) : (
        <button
          ref={popover.button}
          type="button"
          className={styles.button}
          aria-label={text === undefined ? undefined : label}
          {...trigger}
        >
          {icon && <Icon name={icon} />}
          {text ?? label}
          <Icon name="chevron-down" size="s" />
        </button>
      )}
      <div ref={popover.panel} popover="auto" role="menu" aria-label={label} tabIndex={-1} className={styles.panel} onKeyDown={onPanelKey}>
        {popover.open &&
          items.map((item) => (
            <Fragment key={item.id}>
              {item.divided && <hr className={styles.divider} />}
              <MenuEntry item={item} onChoose={() => choose(item)} />
            </Fragment>
          ))}
      </div>
    </span>
  )
}

function MenuEntry({ item, onChoose }: { item: MenuItem; onChoose: () => void }) {
  const common = {
    className: styles.item,
    'data-item': item.id,
    role: item.checked === undefined ? 'menuitem' : 'menuitemradio',
    'aria-checked': item.checked,
    tabIndex: -1,
  }
  const content = (
    <>
      {item.icon && <Icon name={item.icon} />}
      <span>{item.label}</span>
      {item.checked && <Icon name="check" size="s" className={styles.mark} />}
    </>
  )
  if (item.to !== undefined && !item.disabled) {
    return (
      <a {...common} href={item.to} onClick={onChoose}>
        {content}
      </a>
    )
  }
  return (
    <button {...common} type="button" disabled={item.disabled} onClick={onChoose}>
      {content}
    </button>
  )
}
