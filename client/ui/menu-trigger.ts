/** The item of a menu that is focused when the menu opens: the first, the last, or no item. */
export type MenuFocus = 'first' | 'last' | 'none'

/** Returns the properties of a button that opens a menu. A press of the mouse leaves the focus where it is; keys move it into the menu. */
export const menuTriggerProps = (openMenu: (focus: MenuFocus) => void) => ({
  'aria-haspopup': 'menu' as const,
  // A click with `detail` 0 comes from the keyboard.
  onClick: (event: React.MouseEvent) => openMenu(event.detail === 0 ? 'first' : 'none'),
  onKeyDown: (event: React.KeyboardEvent) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    openMenu(event.key === 'ArrowDown' ? 'first' : 'last')
  },
})
