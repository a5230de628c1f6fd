import { useEffect, useState } from 'react'
import { usePlayer } from '../../bindings/player.tsx'
import { listen } from '../../primitives/scope.ts'
import { lazyDialog } from '../../ui/lazy-dialog.tsx'
import { isHandledByFocus, shortcuts } from './shortcut-keys.ts'
import { useShortcutsOn } from './shortcuts-preference.ts'

const ShortcutsDialog = lazyDialog('Keyboard shortcuts', () => import('./shortcuts-dialog.tsx').then((module) => module.ShortcutsDialog))

/** Controls the player by single keys. `?` opens the list of shortcuts, where they can be disabled. */
export function Shortcuts() {
  const player = usePlayer()
  const on = useShortcutsOn()
  const [isDialogOpen, setDialogOpen] = useState(false)

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
      const shortcut = shortcuts.find((each) => each.keys.includes(key))
      // Without a song the keys keep the browser's default action: Space scrolls.
      if (!shortcut || player.getSnapshot().songId === undefined) return
      if (event.shiftKey && (key === ' ' || key.startsWith('arrow'))) return
      event.preventDefault()
      if (!event.repeat || key.startsWith('arrow')) shortcut.run(player)
    }
    return listen(document, 'keydown', onKey)
  }, [player, on])

  return <ShortcutsDialog open={isDialogOpen} onClose={() => setDialogOpen(false)} />
}
