import { usePlayer } from '../../hooks/player.tsx'
import { Menu } from '../../ui/menu.tsx'
import type { MenuFocus } from '../../ui/menu-trigger.ts'

export interface QueueRowMenuProps {
  label: string
  className: string
  openAtFirst: MenuFocus
  index: number
  count: number
  onMove: (from: number, to: number) => void
}

/** Renders the menu of actions for a song in the queue. */
export function QueueRowMenu({ index, count, onMove, ...menu }: QueueRowMenuProps) {
  const player = usePlayer()
  return (
    <Menu
      {...menu}
      icon="more"
      items={[
        { id: 'play', label: 'Play now', icon: 'play', onSelect: () => player.playFromQueue(index) },
        { id: 'first', label: 'Move to the top', icon: 'arrow-up', disabled: index === 0, onSelect: () => onMove(index, 0) },
        { id: 'up', label: 'Move up', icon: 'chevron-up', disabled: index === 0, onSelect: () => onMove(index, index - 1) },
        { id: 'down', label: 'Move down', icon: 'chevron-down', disabled: index === count - 1, onSelect: () => onMove(index, index + 1) },
        { id: 'remove', label: 'Remove', icon: 'trash', divided: true, onSelect: () => player.removeFromQueue(index) },
      ]}
    />
  )
}
