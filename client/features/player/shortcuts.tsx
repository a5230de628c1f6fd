import { useEffect, useRef, useState } from 'react'
import { useFavoriteToggle } from '../../bindings/favorites.ts'
import { usePlayer, usePlayerState } from '../../bindings/player.tsx'
import { listen } from '../../primitives/scope.ts'
import { lazyDialog } from '../../ui/lazy-dialog.tsx'
import { findShortcut, isHandledByFocus } from './shortcut-keys.ts'
import { useShortcutsOn } from './shortcuts-preference.ts'

const ShortcutsDialog = lazyDialog('Keyboard shortcuts', () => import('./shortcuts-dialog.tsx').then((module) => module.ShortcutsDialog))

/**
 * Controls the player by single keys. `?` opens the list of shortcuts, where they can be disabled. `firstKey` is the key that was pressed before this
 * component was rendered.
 */
export function Shortcuts({ firstKey }: { firstKey: KeyboardEvent }) {
  const player = usePlayer()
  const on = useShortcutsOn()
  const [isDialogOpen, setDialogOpen] = useState(false)
  const { toggle: toggleFavorite } = useFavoriteToggle(usePlayerState((state) => state.current))

  const unhandledKey = useRef<KeyboardEvent | undefined>(firstKey)

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return
      const key = event.key.toLowerCase()
      const focused = event.target instanceof Element ? event.target : null
      if (isHandledByFocus(key, focused) || document.querySelector('dialog:modal')) return
      if (key === '?') {
        event.preventDefault()
        setDialogOpen(true)
        return
      }
      if (!on) return
      if (key === '/') {
        const searchButton = document.querySelector<HTMLElement>('search button[aria-expanded="false"]')
        if (!searchButton) return
        event.preventDefault()
        searchButton.click()
        return
      }
      const isArrow = key.startsWith('arrow')
      const shortcut = findShortcut(event.shiftKey && (isArrow || key === ' ') ? `shift+${key}` : key)
      // Without a song the keys keep the browser's default action: Space scrolls.
      if (!shortcut || player.getSnapshot().songId === undefined) return
      event.preventDefault()
      if (!event.repeat || isArrow) shortcut.run(player, toggleFavorite)
    }
    if (unhandledKey.current) onKey(unhandledKey.current)
    unhandledKey.current = undefined
    return listen(document, 'keydown', onKey)
  }, [player, on, toggleFavorite])

  return <ShortcutsDialog open={isDialogOpen} onClose={() => setDialogOpen(false)} />
}
