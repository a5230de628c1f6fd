/** The item of a menu that is focused when the menu opens: the first, the last, or no item. */
export type MenuFocus = 'first' | 'last' | 'none'

/**
 * Returns the properties of a button that opens a menu. If the menu is opened by mouse, the focus stays on the button; if it is opened by
 * keyboard, the focus moves into the menu.
 */
export const createMenuTriggerProps = (openMenu: (focus: MenuFocus) => void) => ({
  'aria-haspopup': 'menu' as const,
  // A click with `detail` 0 comes from the keyboard.
  onClick: (event: React.MouseEvent) => openMenu(event.detail === 0 ? 'first' : 'none'),
  onKeyDown: (event: React.KeyboardEvent) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    openMenu(event.key === 'ArrowDown' ? 'first' : 'last')
  },
})
