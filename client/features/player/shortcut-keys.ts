import type { usePlayer } from '../../bindings/player.tsx'

type Player = ReturnType<typeof usePlayer>

const SEEK_SECONDS = 5

interface Shortcut {
  keys: readonly string[]
  /** As the list shows them. */
  caps: readonly string[]
  what: string
  run(player: Player): void
}

const seekBy = (player: Player, seconds: number) => player.seek(player.position().positionSeconds + seconds)

/** Single keys, whatever Shift says. `/` and `?` belong to the page and stand in the list only. */
export const shortcuts: readonly Shortcut[] = [
  { keys: [' ', 'k'], caps: ['Space', 'K'], what: 'Play or pause', run: (player) => player.toggle() },
  { keys: ['n'], caps: ['N'], what: 'Next song', run: (player) => player.next() },
  { keys: ['p'], caps: ['P'], what: 'Previous song', run: (player) => player.previous() },
  { keys: ['arrowleft'], caps: ['←'], what: `Back ${SEEK_SECONDS} seconds`, run: (player) => seekBy(player, -SEEK_SECONDS) },
  { keys: ['arrowright'], caps: ['→'], what: `Forward ${SEEK_SECONDS} seconds`, run: (player) => seekBy(player, SEEK_SECONDS) },
  { keys: ['m'], caps: ['M'], what: 'Mute', run: (player) => player.setMuted(!player.getSnapshot().muted) },
  { keys: ['s'], caps: ['S'], what: 'Shuffle', run: (player) => player.setShuffle(!player.getSnapshot().shuffle) },
  { keys: ['l'], caps: ['L'], what: 'Loop', run: (player) => player.setLoop(!player.getSnapshot().loop) },
]

export const pageShortcuts = [
  { caps: ['/'], what: 'Search' },
  { caps: ['?'], what: 'This list' },
] as const

const typed =
  'input:not([type=range], [type=checkbox], [type=radio], [type=button]), textarea, select, [contenteditable=""], [contenteditable=true]'
const pressed = 'button, a[href], summary, [role=button], [role^=menuitem], [role=option], input'
const arrowed = 'input, [role=slider], [role^=menu], [role=listbox], [role=tablist], [data-arrows]'

/** Whether `key` belongs to what has the focus, and not to the player. */
export function isTaken(key: string, focused: Element | null): boolean {
  if (!focused) return false
  if (focused.closest(typed)) return true
  if (key === ' ' || key === 'enter') return focused.closest(pressed) !== null
  if (key.startsWith('arrow')) return focused.closest(arrowed) !== null
  return focused.closest('[role^=menu]') !== null
}
