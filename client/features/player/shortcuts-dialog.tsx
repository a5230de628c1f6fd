import { Dialog } from '../../ui/dialog.tsx'
import { SEEK_SECONDS, shortcuts } from './shortcut-keys.ts'
import styles from './shortcuts.module.css'
import { setShortcutsOn, useShortcutsOn } from './shortcuts-preference.ts'

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

/** The labels of keys without a character, and of combinations. */
const keyLabels: Record<string, string> = {
  ' ': 'Space',
  arrowleft: '←',
  arrowright: '→',
  'shift+arrowup': 'Shift ↑',
  'shift+arrowdown': 'Shift ↓',
}

// The cast restores the type of the names, which `Object.keys` loses.
const names = Object.keys(descriptions) as (keyof typeof shortcuts)[]
const rows: readonly { keys: readonly string[]; description: string }[] = [
  ...names.map((name) => ({ keys: shortcuts[name].keys, description: descriptions[name] })),
  // `PlayOverlay` handles Space on a link, `Shortcuts` itself the other keys.
  { keys: [' '], description: 'Play the focused song or playlist' },
  { keys: ['/'], description: 'Search' },
  { keys: ['?'], description: 'This list' },
]

/** Lists the keyboard shortcuts, with a switch that disables them. */
export function ShortcutsDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const on = useShortcutsOn()
  return (
    <Dialog open={open} onClose={onClose} title="Keyboard shortcuts">
      <label className={styles.switch}>
        <input type="checkbox" checked={on} onChange={(event) => setShortcutsOn(event.currentTarget.checked)} />
        <span className={styles.lamp} />
        Use single-key shortcuts
      </label>
      <dl className={styles.list}>
        {rows.map(({ keys, description }) => (
          <div key={description} className={styles.line}>
            <dt>
              {keys.map((key) => (
                <kbd key={key} className={styles.cap}>
                  {keyLabels[key] ?? key.toUpperCase()}
                </kbd>
              ))}
            </dt>
            <dd>{description}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
