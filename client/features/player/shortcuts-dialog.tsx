import { Dialog } from '../../ui/dialog.tsx'
import { pageShortcuts, shortcuts } from './shortcut-keys.ts'
import styles from './shortcuts.module.css'
import { setShortcutsOn, useShortcutsOn } from './shortcuts-preference.ts'

/** The list of the keys, which also turns them off. */
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
          <div key={shortcut.what} className={styles.line}>
            <dt>
              {shortcut.caps.map((cap) => (
                <kbd key={cap} className={styles.cap}>
                  {cap}
                </kbd>
              ))}
            </dt>
            <dd>{shortcut.what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
