import { Dialog } from '../../ui/dialog.tsx'
import { Key } from '../../ui/key.tsx'
import typeStyles from '../../ui/type.module.css'
import styles from './offered-file.module.css'

interface OfferedFileProps {
  /** What came from outside; undefined where nothing did. */
  name: string | undefined
  /** What is open. */
  instead: string
  onOpen: () => void
  onKeep: () => void
}

/** Asks before what came from outside takes the place of one's own: another site, too, can share a file with this one. */
export function OfferedFile({ name, instead, onOpen, onKeep }: OfferedFileProps) {
  return (
    <Dialog open={name !== undefined} onClose={onKeep} title="Open the file that came?">
      <div className={styles.offer}>
        <p className={typeStyles.muted}>
          <bdi>{name}</bdi> would take the place of <bdi>{instead}</bdi> with its settings.
        </p>
        <Key variant="lit" onClick={onOpen}>
          Open it
        </Key>
        <Key variant="flat" onClick={onKeep}>
          Keep my song
        </Key>
      </div>
    </Dialog>
  )
}
