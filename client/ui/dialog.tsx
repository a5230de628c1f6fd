import { type ReactNode, useEffect, useId, useRef } from 'react'
import { classNames } from './class-names.ts'
import styles from './dialog.module.css'
import { IconButton } from './icon-button.tsx'
import typeStyles from './type.module.css'

interface DialogProps {
  open: boolean
  /** Called on Escape, on the close button and on a click beside the dialog. The owner then sets `open` to false. */
  onClose: () => void
  title: string
  children: ReactNode
  /** `wide` for pictures beside words; `sheet` fills the height at the edge of the screen. */
  shape?: 'normal' | 'wide' | 'sheet'
  /** Keeps the title for screen readers only. */
  titleHidden?: boolean
}

/** A modal on the native element: focus goes in, stays in, and returns to where it was. */
export function Dialog({ open, onClose, title, children, shape = 'normal', titleHidden = false }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  /** A drag that begins inside, on selected text say, and ends outside is no click beside the dialog. */
  const pressedBeside = useRef(false)

  useEffect(() => {
    const element = dialog.current
    if (!element || element.open === open) return
    if (open) element.showModal()
    else element.close()
  }, [open])

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the click beside it is the pointer's way to do what Escape does.
    <dialog
      ref={dialog}
      className={classNames(styles.dialog, styles[shape])}
      aria-labelledby={titleId}
      onClose={(event) => {
        // React tells of a dialog inside this one, too.
        if (event.target === event.currentTarget) onClose()
      }}
      onPointerDown={(event) => {
        pressedBeside.current = isBeside(event)
      }}
      onClick={(event) => {
        if (pressedBeside.current && isBeside(event)) event.currentTarget.close()
      }}
    >
      {open && (
        <div className={styles.panel}>
          <div className={styles.header}>
            <h2 id={titleId} className={titleHidden ? typeStyles.hidden : classNames(typeStyles.head, typeStyles.d1)}>
              {title}
            </h2>
            <IconButton icon="close" label="Close" className={styles.close ?? ''} onClick={() => dialog.current?.close()} />
          </div>
          <div className={styles.content}>{children}</div>
        </div>
      )}
    </dialog>
  )
}

/** The backdrop reports its clicks as the dialog's own, outside of its box. */
function isBeside(event: React.MouseEvent<HTMLDialogElement>): boolean {
  if (event.target !== event.currentTarget) return false
  const box = event.currentTarget.getBoundingClientRect()
  return event.clientX < box.left || event.clientX > box.right || event.clientY < box.top || event.clientY > box.bottom
}
