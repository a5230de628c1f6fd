import { Menu } from '../../ui/menu.tsx'
import type { MenuFocus } from '../../ui/menu-trigger.ts'
import { createMoveItems } from '../../ui/move-items.ts'

export interface EditorRowMenuProps {
  label: string
  openAtFirst: MenuFocus
  index: number
  count: number
  onMove: (from: number, to: number) => void
}

/** The menu that moves a song of an own playlist. */
export const EditorRowMenu = ({ index, count, onMove, ...menuProps }: EditorRowMenuProps) => (
  <Menu {...menuProps} icon="more" items={createMoveItems(index, count, onMove)} />
)
