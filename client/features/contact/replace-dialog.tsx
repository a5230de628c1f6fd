import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import typeStyles from '../../ui/type.module.css'
import styles from './contact-page.module.css'
import type { ContactRow } from './use-contact.ts'

interface ReplaceDialogProps {
  /** The request to edit; undefined while the dialog is closed. */
  row: ContactRow | undefined
  onClose: () => void
  onReplace: (row: ContactRow) => void
}

/** Asks for confirmation before an earlier request replaces the texts in the form. */
export function ReplaceDialog({ row, onClose, onReplace }: ReplaceDialogProps) {
  return (
    <Dialog open={row !== undefined} onClose={onClose} title="Replace what you have typed?">
      <p className={typeStyles.muted}>The earlier request takes the place of the text in the form, which is not sent yet.</p>
      <div className={styles.choices}>
        <Button variant="primary" onClick={onClose}>
          Keep my text
        </Button>
        <Button onClick={() => row && onReplace(row)}>Replace it</Button>
      </div>
    </Dialog>
  )
}
