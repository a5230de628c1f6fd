import { useState } from 'react'
import { changeVolume, setShortcutsEnabled, useAreShortcutsEnabled } from '../../hooks/shortcuts.ts'
import { lazyDialog } from '../../ui/lazy-dialog.tsx'
import type { ShortcutRow } from '../../ui/shortcuts-dialog.tsx'
import { useShortcutKeys } from '../../ui/use-shortcut-keys.ts'
import { type RadioPlayer, useRadio } from './use-radio.ts'

const ShortcutsDialog = lazyDialog('Keyboard shortcuts', () =>
  import('../../ui/shortcuts-dialog.tsx').then((module) => module.ShortcutsDialog),
)

const radioShortcuts: readonly (ShortcutRow & { run(radio: RadioPlayer): void })[] = [
  { keys: [' ', 'k'], description: 'Play or pause', run: (radio) => radio.toggle() },
  { keys: ['shift+arrowup'], description: 'Louder', run: (radio) => changeVolume(radio, 1) },
  { keys: ['shift+arrowdown'], description: 'Quieter', run: (radio) => changeVolume(radio, -1) },
  { keys: ['m'], description: 'Mute', run: (radio) => radio.setMuted(!radio.getSnapshot().muted) },
  {
    keys: ['s'],
    description: 'Other station',
    run: (radio) => radio.setStation(radio.getSnapshot().station === 'main' ? 'newcomers' : 'main'),
  },
]
const shortcutRows: readonly ShortcutRow[] = [...radioShortcuts, { keys: ['?'], description: 'This list' }]

/** Controls the radio by single keys. `?` opens the list of shortcuts, where they can be disabled. */
export function RadioShortcuts() {
  const radio = useRadio()
  const areShortcutsEnabled = useAreShortcutsEnabled()
  const [isShortcutListOpen, setOpen] = useState(false)
  useShortcutKeys({
    on: areShortcutsEnabled,
    onHelp: () => setOpen(true),
    onKey(keyName, isRepeated) {
      const shortcut = radioShortcuts.find(({ keys }) => keys.includes(keyName))
      if (!shortcut) return false
      if (!isRepeated || keyName.includes('arrow')) shortcut.run(radio)
      return true
    },
  })
  return (
    <ShortcutsDialog
      rows={shortcutRows}
      on={areShortcutsEnabled}
      onChange={setShortcutsEnabled}
      open={isShortcutListOpen}
      onClose={() => setOpen(false)}
    />
  )
}
