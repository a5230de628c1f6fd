import type { MenuItem } from './menu.tsx'

/** Returns the menu items that move a row of a list, for people who cannot drag it. */
export const createMoveItems = (index: number, rowCount: number, onMove: (from: number, to: number) => void): MenuItem[] => [
  { id: 'first', label: 'Move to the top', icon: 'arrow-up', disabled: index === 0, onSelect: () => onMove(index, 0) },
  { id: 'up', label: 'Move up', icon: 'chevron-up', disabled: index === 0, onSelect: () => onMove(index, index - 1) },
  { id: 'down', label: 'Move down', icon: 'chevron-down', disabled: index === rowCount - 1, onSelect: () => onMove(index, index + 1) },
]
