import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import typeStyles from '../../ui/type.module.css'
import styles from './offered-file.module.css'

interface OfferedFileProps {
  /** The name of the file that another app shared; `undefined` closes the dialog. */
  name: string | undefined
  loadedName: string
  onOpen: () => void
  onKeep: () => void
}

/** Asks before a shared file replaces the loaded one: any app or site can share a file. */
export function OfferedFile({ name, loadedName, onOpen, onKeep }: OfferedFileProps) {
  return (
    <Dialog open={name !== undefined} onClose={onKeep} title="Open the file that came?">
      <div className={styles.offer}>
        <p className={typeStyles.muted}>
          <bdi>{name}</bdi> would take the place of <bdi>{loadedName}</bdi> with its settings.
        </p>
        <Button variant="primary" onClick={onOpen}>
          Open it
        </Button>
        <Button variant="tertiary" onClick={onKeep}>
          Keep my song
        </Button>
      </div>
    </Dialog>
  )
}
