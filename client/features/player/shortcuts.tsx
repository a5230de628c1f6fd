import { useEffect, useState } from 'react'
import { usePlayer } from '../../bindings/player.tsx'
import { createDialogPart } from '../../ui/dialog-part.tsx'
import { isTaken, shortcuts } from './shortcut-keys.ts'
import { useShortcutsOn } from './shortcuts-preference.ts'

const ShortcutsDialog = createDialogPart('Keyboard shortcuts', () =>
  import('./shortcuts-dialog.tsx').then((module) => module.ShortcutsDialog),
)

/** Single keys for the player, and the list of them on `?`, which also turns them off. */
export function Shortcuts() {
  const player = usePlayer()
  const on = useShortcutsOn()
  const [listed, setListed] = useState(false)

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return
      const key = event.key.toLowerCase()
      const focused = event.target instanceof Element ? event.target : null
      if (isTaken(key, focused) || document.querySelector('dialog:modal')) return
      if (key === '?') {
        event.preventDefault()
        setListed(true)
        return
      }
      if (!on) return
      if (key === '/') {
        const search = document.querySelector<HTMLElement>('search button[aria-expanded="false"]')
        if (!search) return
        event.preventDefault()
        search.click()
        return
      }
      const shortcut = shortcuts.find((each) => each.keys.includes(key))
      // Without a song the keys are the page's own: Space scrolls.
      if (!shortcut || player.getSnapshot().songId === undefined) return
      if (event.shiftKey && (key === ' ' || key.startsWith('arrow'))) return
      event.preventDefault()
      if (!event.repeat || key.startsWith('arrow')) shortcut.run(player)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [player, on])

  return <ShortcutsDialog open={listed} onClose={() => setListed(false)} />
}
