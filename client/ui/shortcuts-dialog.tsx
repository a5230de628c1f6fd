import { Dialog } from './dialog.tsx'
import styles from './shortcuts-dialog.module.css'
import { Switch } from './switch.tsx'

export interface ShortcutRow {
  /** The values of the shortcut's keys in lower case. `shift+` before an arrow means that Shift is pressed. */
  keys: readonly string[]
  description: string
}

/** The labels of key combinations and of keys that produce no character. */
const keyLabels: Record<string, string> = {
  ' ': 'Space',
  arrowleft: '←',
  arrowright: '→',
  'shift+arrowup': 'Shift ↑',
  'shift+arrowdown': 'Shift ↓',
  'ctrl+z': 'Ctrl Z',
  'ctrl+shift+z': 'Ctrl Shift Z',
  'ctrl+s': 'Ctrl S',
}

interface ShortcutsDialogProps {
  rows: readonly ShortcutRow[]
  /** Whether the shortcuts are enabled, and the function that enables or disables them. */
  on: boolean
  onChange: (on: boolean) => void
  open: boolean
  onClose: () => void
}

/** Lists the keyboard shortcuts, with a switch that disables them. */
export function ShortcutsDialog({ rows, on, onChange, open, onClose }: ShortcutsDialogProps) {
  return (
    <Dialog open={open} onClose={onClose} title="Keyboard shortcuts">
      <Switch checked={on} onChange={onChange} className={styles.switch}>
        Use single-key shortcuts
      </Switch>
      <dl className={styles.list}>
        {rows.map(({ keys, description }) => (
          <div key={description} className={styles.line}>
            <dt>
              {keys.map((keyName) => (
                <kbd key={keyName} className={styles.cap}>
                  {keyLabels[keyName] ?? keyName.toUpperCase()}
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
