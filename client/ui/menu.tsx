import { Fragment, useLayoutEffect } from 'react'
import { classNames } from './class-names.ts'
import { Icon, type IconName } from './icon.tsx'
import { IconButton } from './icon-button.tsx'
import styles from './menu.module.css'
import { createMenuTriggerProps, type MenuFocus } from './menu-trigger.ts'
import { usePopover } from './use-popover.ts'

export interface MenuItem {
  id: string
  label: string
  icon?: IconName
  disabled?: boolean
  /** Renders a `menuitemradio`, with a check mark if true. */
  checked?: boolean
  /** Draws a divider above the item. */
  divided?: boolean
  /** URL of a link item; use `onSelect` for an action. */
  to?: string
  onSelect?: () => void
}

export interface MenuProps {
  /** Accessible name of the button. With `icon` and no `buttonText`, only the icon is visible. */
  label: string
  icon?: IconName
  /** Visible text of the button, if it differs from `label`. */
  buttonText?: string
  items: readonly MenuItem[]
  align?: 'start' | 'end'
  className?: string
  /** Opens the menu on the first render, for a button that was pressed before the menu was loaded. */
  openAtFirst?: MenuFocus
}

/** A button with a menu of actions. Arrow keys, Home, End and first letters move the focus; Escape and Tab close the menu. */
export function Menu({ label, icon, buttonText: buttonLabel, items, align = 'end', className, openAtFirst }: MenuProps) {
  const popover = usePopover<HTMLButtonElement, HTMLDivElement>(align)

  const selectItem = (item: MenuItem) => {
    popover.hide()
    // Focuses the button before the action runs: a dialog opened by the action restores the focus to the button when it closes.
    popover.button.current?.focus()
    item.onSelect?.()
  }

  const onPanelKeyDown = (event: React.KeyboardEvent) => {
    popover.moveFocus(event)
    if (event.key === 'Tab') popover.hide()
    if (event.key.length === 1 && event.key !== ' ') {
      const letter = event.key.toLowerCase()
      const match = items.find((item) => !item.disabled && item.label.toLowerCase().startsWith(letter))
      if (match) popover.panel.current?.querySelector<HTMLElement>(`[data-item="${CSS.escape(match.id)}"]`)?.focus()
    }
  }

  const triggerProps = {
    ...createMenuTriggerProps((focus) => (focus === 'none' ? popover.toggle() : popover.show(focus))),
    'aria-expanded': popover.open,
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: only the first render opens the menu.
  useLayoutEffect(() => {
    if (openAtFirst === undefined) return
    // Opens the menu in a microtask, because React is still rendering, and opening renders the items synchronously.
    queueMicrotask(() => {
      popover.button.current?.focus({ preventScroll: true })
      popover.show(openAtFirst === 'none' ? undefined : openAtFirst)
    })
  }, [])

  return (
    <span className={classNames(styles.holder, className)}>
      {icon && buttonLabel === undefined ? (
        <IconButton ref={popover.button} icon={icon} label={label} {...triggerProps} />
      ) : (
        <button
          ref={popover.button}
          type="button"
          className={styles.button}
          aria-label={buttonLabel === undefined ? undefined : label}
          {...triggerProps}
        >
          {icon && <Icon name={icon} />}
          {buttonLabel ?? label}
          <Icon name="chevron-down" size="s" />
        </button>
      )}
      <div
        ref={popover.panel}
        popover="auto"
        role="menu"
        aria-label={label}
        tabIndex={-1}
        className={styles.panel}
        onKeyDown={onPanelKeyDown}
      >
        {popover.open &&
          items.map((menuItem) => (
            <Fragment key={menuItem.id}>
              {menuItem.divided && <hr className={styles.divider} />}
              <MenuItemElement item={menuItem} onSelect={() => selectItem(menuItem)} />
            </Fragment>
          ))}
      </div>
    </span>
  )
}

function MenuItemElement({ item, onSelect }: { item: MenuItem; onSelect: () => void }) {
  const commonProps = {
    className: styles.item,
    'data-item': item.id,
    role: item.checked === undefined ? 'menuitem' : 'menuitemradio',
    'aria-checked': item.checked,
    tabIndex: -1,
  }
  const contentElement = (
    <>
      {item.icon && <Icon name={item.icon} />}
      <span>{item.label}</span>
      {item.checked && <Icon name="check" size="s" className={styles.mark} />}
    </>
  )
  if (item.to !== undefined && !item.disabled) {
    return (
      <a {...commonProps} href={item.to} onClick={onSelect}>
        {contentElement}
      </a>
    )
  }
  return (
    <button {...commonProps} type="button" disabled={item.disabled} onClick={onSelect}>
      {contentElement}
    </button>
  )
}
