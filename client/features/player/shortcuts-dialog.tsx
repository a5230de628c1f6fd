import { Dialog } from '../../ui/dialog.tsx'
import { pageShortcuts, shortcuts } from './shortcut-keys.ts'
import styles from './shortcuts.module.css'
import { setShortcutsOn, useShortcutsOn } from './shortcuts-preference.ts'

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
        {[...shortcuts, ...pageShortcuts].map((shortcut) => (
          <div key={shortcut.description} className={styles.line}>
            <dt>
              {shortcut.keyLabels.map((keyLabel) => (
                <kbd key={keyLabel} className={styles.cap}>
                  {keyLabel}
                </kbd>
              ))}
            </dt>
            <dd>{shortcut.description}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
