import type { usePlayer } from '../../hooks/player.tsx'
import { changeVolume } from '../../hooks/shortcuts.ts'

type Player = ReturnType<typeof usePlayer>

export const SEEK_STEP_SECONDS = 5

const seekBy = (player: Player, seconds: number) => player.seek(player.position().positionSeconds + seconds)

interface Shortcut {
  /** The key's value in lower case, preceded by `shift+` for an arrow or Space with Shift. */
  keys: readonly string[]
  run(player: Player, toggleFavorite: () => void): void
}

/** The keys that control the player. `shortcuts.tsx` has the descriptions of the shortcuts. */
export const playerShortcuts = {
  toggle: { keys: [' ', 'k'], run: (player) => player.toggle() },
  next: { keys: ['n'], run: (player) => player.next() },
  previous: { keys: ['p'], run: (player) => player.previous() },
  back: { keys: ['arrowleft'], run: (player) => seekBy(player, -SEEK_STEP_SECONDS) },
  forward: { keys: ['arrowright'], run: (player) => seekBy(player, SEEK_STEP_SECONDS) },
  louder: { keys: ['shift+arrowup'], run: (player) => changeVolume(player, 1) },
  quieter: { keys: ['shift+arrowdown'], run: (player) => changeVolume(player, -1) },
  mute: { keys: ['m'], run: (player) => player.setMuted(!player.getSnapshot().muted) },
  favorite: { keys: ['f'], run: (_, toggleFavorite) => toggleFavorite() },
  shuffle: { keys: ['s'], run: (player) => player.setShuffle(!player.getSnapshot().shuffle) },
  loop: { keys: ['l'], run: (player) => player.setLoop(!player.getSnapshot().loop) },
} satisfies Record<string, Shortcut>

/** Returns the shortcut for a key, which is named as in `Shortcut.keys`. */
export const findShortcut = (key: string): Shortcut | undefined =>
  Object.values<Shortcut>(playerShortcuts).find((shortcut) => shortcut.keys.includes(key))
