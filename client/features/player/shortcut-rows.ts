import type { ShortcutRow } from '../../ui/shortcuts-dialog.tsx'
import { SEEK_SECONDS, shortcuts } from './shortcut-keys.ts'

const descriptions: Record<keyof typeof shortcuts, string> = {
  toggle: 'Play or pause',
  next: 'Next song',
  previous: 'Previous song',
  back: `Back ${SEEK_SECONDS} seconds`,
  forward: `Forward ${SEEK_SECONDS} seconds`,
  louder: 'Louder',
  quieter: 'Quieter',
  mute: 'Mute',
  favorite: 'Add to favorites or remove',
  shuffle: 'Shuffle',
  loop: 'Loop',
}

// The cast restores the type of the names, which `Object.keys` loses.
const names = Object.keys(descriptions) as (keyof typeof shortcuts)[]

/** The rows of the list of shortcuts. */
export const shortcutRows: readonly ShortcutRow[] = [
  ...names.map((name) => ({ keys: shortcuts[name].keys, description: descriptions[name] })),
  // `PlayOverlay` handles Space on a link, `Shortcuts` itself the other keys.
  { keys: [' '], description: 'Play the focused song or playlist' },
  { keys: ['/'], description: 'Search' },
  { keys: ['?'], description: 'This list' },
]
