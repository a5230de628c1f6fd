import { useState } from 'react'
import { useFavoriteToggle } from '../../hooks/favorites.ts'
import { usePlayer, usePlayerState } from '../../hooks/player.tsx'
import { setShortcutsOn, useShortcutsOn } from '../../hooks/shortcuts-preference.ts'
import { lazyDialog } from '../../ui/lazy-dialog.tsx'
import { useShortcutKeys } from '../../ui/use-shortcut-keys.ts'
import { findShortcut } from './shortcut-keys.ts'
import { shortcutRows } from './shortcut-rows.ts'

const ShortcutsDialog = lazyDialog('Keyboard shortcuts', () =>
  import('../../ui/shortcuts-dialog.tsx').then((module) => module.ShortcutsDialog),
)

/**
 * Controls the player by single keys. `?` opens the list of shortcuts, where they can be disabled. `firstKey` is the key that was pressed before this
 * component was rendered.
 */
export function Shortcuts({ firstKey }: { firstKey: KeyboardEvent }) {
  const player = usePlayer()
  const on = useShortcutsOn()
  const [isDialogOpen, setDialogOpen] = useState(false)
  const { toggle: toggleFavorite } = useFavoriteToggle(usePlayerState((state) => state.current))

  useShortcutKeys({
    on,
    firstKey,
    onHelp: () => setDialogOpen(true),
    onKey(key, isRepeated) {
      if (key === '/') {
        const searchButton = document.querySelector<HTMLElement>('search button[aria-expanded="false"]')
        searchButton?.click()
        return searchButton !== null
      }
      const shortcut = findShortcut(key)
      // Without a song the keys keep the browser's default action: Space scrolls.
      if (!shortcut || player.getSnapshot().songId === undefined) return false
      if (!isRepeated || key.includes('arrow')) shortcut.run(player, toggleFavorite)
      return true
    },
  })
  return <ShortcutsDialog rows={shortcutRows} on={on} onChange={setShortcutsOn} open={isDialogOpen} onClose={() => setDialogOpen(false)} />
}
