import type { usePlayer } from '../../bindings/player.tsx'

type Player = ReturnType<typeof usePlayer>

const SEEK_SECONDS = 5

interface Shortcut {
  keys: readonly string[]
  /** The keys' labels in the list of shortcuts. */
  keyLabels: readonly string[]
  description: string
  run(player: Player): void
}

const seekBy = (player: Player, seconds: number) => player.seek(player.position().positionSeconds + seconds)

/** Single keys that control the player, with or without Shift. */
export const shortcuts: readonly Shortcut[] = [
  { keys: [' ', 'k'], keyLabels: ['Space', 'K'], description: 'Play or pause', run: (player) => player.toggle() },
  { keys: ['n'], keyLabels: ['N'], description: 'Next song', run: (player) => player.next() },
  { keys: ['p'], keyLabels: ['P'], description: 'Previous song', run: (player) => player.previous() },
  { keys: ['arrowleft'], keyLabels: ['←'], description: `Back ${SEEK_SECONDS} seconds`, run: (player) => seekBy(player, -SEEK_SECONDS) },
  { keys: ['arrowright'], keyLabels: ['→'], description: `Forward ${SEEK_SECONDS} seconds`, run: (player) => seekBy(player, SEEK_SECONDS) },
  { keys: ['m'], keyLabels: ['M'], description: 'Mute', run: (player) => player.setMuted(!player.getSnapshot().muted) },
  { keys: ['s'], keyLabels: ['S'], description: 'Shuffle', run: (player) => player.setShuffle(!player.getSnapshot().shuffle) },
  { keys: ['l'], keyLabels: ['L'], description: 'Loop', run: (player) => player.setLoop(!player.getSnapshot().loop) },
]

/** Single keys that `Shortcuts` handles itself; this list only describes them. */
export const pageShortcuts = [
  { keyLabels: ['/'], description: 'Search' },
  { keyLabels: ['?'], description: 'This list' },
] as const

const textInputSelector =
  'input:not([type=range], [type=checkbox], [type=radio], [type=button]), textarea, select, [contenteditable=""], [contenteditable=true]'
const pressableSelector = 'button, a[href], summary, [role=button], [role^=menuitem], [role=option], input'
const arrowKeyWidgetSelector = 'input, [role=slider], [role^=menu], [role=listbox], [role=tablist], [data-arrows]'

/** Whether the focused element handles `key`, so that the player must not. */
export function isHandledByFocus(key: string, focused: Element | null): boolean {
  if (!focused) return false
  if (focused.closest(textInputSelector)) return true
  if (key === ' ' || key === 'enter') return focused.closest(pressableSelector) !== null
  if (key.startsWith('arrow')) return focused.closest(arrowKeyWidgetSelector) !== null
  return focused.closest('[role^=menu]') !== null
}
