const textInputSelector =
  'input:not([type=range], [type=checkbox], [type=radio], [type=button]), textarea, select, [contenteditable=""], [contenteditable=true]'
const pressableSelector = 'button, a[href], summary, [role=button], [role^=menuitem], [role=option], input'
const arrowKeyWidgetSelector = 'input, [role=slider], [role^=menu], [role=listbox], [role=tablist], [data-arrows]'

/** Whether the focused element handles `key`, so that a page's shortcuts must not. */
export function isHandledByFocus(key: string, focused: Element | null): boolean {
  if (!focused) return false
  if (focused.closest(textInputSelector)) return true
  if (key === ' ' || key === 'enter') return focused.closest(pressableSelector) !== null
  if (key.startsWith('arrow')) return focused.closest(arrowKeyWidgetSelector) !== null
  return focused.closest('[role^=menu]') !== null
}
