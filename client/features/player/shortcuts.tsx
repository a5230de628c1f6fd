import { useState } from 'react'
import { flushSync } from 'react-dom'
import { useFavoriteToggle } from '../../hooks/favorites.ts'
import { usePlayer, usePlayerState } from '../../hooks/player.tsx'
import { setShortcutsEnabled, useAreShortcutsEnabled } from '../../hooks/shortcuts.ts'
import { lazyDialog } from '../../ui/lazy-dialog.tsx'
import type { ShortcutRow } from '../../ui/shortcuts-dialog.tsx'
import { type EarlyKeyEvents, useShortcutKeys } from '../../ui/use-shortcut-keys.ts'
import { findShortcut, playerShortcuts, SEEK_STEP_SECONDS } from './shortcut-keys.ts'

const descriptionByAction: Record<keyof typeof playerShortcuts, string> = {
  toggle: 'Play or pause',
  next: 'Next song',
  previous: 'Previous song',
  back: `Back ${SEEK_STEP_SECONDS} seconds`,
  forward: `Forward ${SEEK_STEP_SECONDS} seconds`,
  louder: 'Louder',
  quieter: 'Quieter',
  mute: 'Mute',
  favorite: 'Add to favorites or remove',
  shuffle: 'Shuffle',
  loop: 'Loop',
}

// The cast restores the type of the names, which `Object.keys` loses.
const shortcutNames = Object.keys(descriptionByAction) as (keyof typeof playerShortcuts)[]

const shortcutRows: readonly ShortcutRow[] = [
  ...shortcutNames.map((name) => ({ keys: playerShortcuts[name].keys, description: descriptionByAction[name] })),
  // `PlayOverlay` handles Space on a link; this component handles the other keys.
  { keys: [' '], description: 'Play the focused song or playlist' },
  { keys: ['/'], description: 'Search' },
  { keys: ['?'], description: 'This list' },
]

const ShortcutsDialog = lazyDialog('Keyboard shortcuts', () =>
  import('../../ui/shortcuts-dialog.tsx').then((module) => module.ShortcutsDialog),
)

/**
 * Controls the player by single keys. `?` opens the list of shortcuts, where they can be disabled. `earlyKeys` are the keys that were pressed before this
 * component was rendered.
 */
export function PlayerShortcuts({ earlyKeys }: { earlyKeys: EarlyKeyEvents }) {
  const player = usePlayer()
  const areShortcutsEnabled = useAreShortcutsEnabled()
  const [isDialogOpen, setDialogOpen] = useState(false)
  const { toggle: toggleFavorite } = useFavoriteToggle(usePlayerState(({ current }) => (current?.artwork ? undefined : current)))

  useShortcutKeys({
    on: areShortcutsEnabled,
    earlyKeys,
    onHelp: () => setDialogOpen(true),
    onKey(keyName, isRepeated) {
      if (keyName === '/') {
        const searchButton = document.querySelector<HTMLElement>('search button[aria-expanded="false"]')
        // The search field is opened synchronously, so that the next key is already typed into it.
        flushSync(() => searchButton?.click())
        return searchButton !== null
      }
      const shortcut = findShortcut(keyName)
      // Without a song the keys keep the browser's default action: Space scrolls.
      if (!shortcut || player.getSnapshot().songId === undefined) return false
      if (!isRepeated || keyName.includes('arrow')) shortcut.run(player, toggleFavorite)
      return true
    },
  })
  return (
    <ShortcutsDialog
      rows={shortcutRows}
      on={areShortcutsEnabled}
      onChange={setShortcutsEnabled}
      open={isDialogOpen}
      onClose={() => setDialogOpen(false)}
    />
  )
}
