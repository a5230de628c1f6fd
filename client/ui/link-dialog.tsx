import { useEffect, useRef } from 'react'
import { classNames } from './class-names.ts'
import { Dialog } from './dialog.tsx'
import styles from './link-dialog.module.css'
import typeStyles from './type.module.css'

/** Shows a link, so that it can be copied by hand if the browser denies access to the clipboard. */
export function LinkDialog({ path, open, onClose }: { path: string; open: boolean; onClose: () => void }) {
  return (
    <Dialog open={open} onClose={onClose} title="Copy link">
      <LinkField path={path} />
    </Dialog>
  )
}

function LinkField({ path }: { path: string }) {
  const urlField = useRef<HTMLInputElement>(null)
  useEffect(() => urlField.current?.select(), [])
  return (
    <label className={styles.field}>
      <span className={typeStyles.muted}>Your browser did not allow copying. Select and copy the address:</span>
      <input
        ref={urlField}
        className={classNames(styles.input, typeStyles.mono)}
        readOnly
        value={location.origin + path}
        onFocus={(event) => event.currentTarget.select()}
      />
    </label>
  )
}
