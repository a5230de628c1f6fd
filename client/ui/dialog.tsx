import { type KeyboardEventHandler, type ReactNode, useEffect, useId, useRef } from 'react'
import { addListener } from '../primitives/scope.ts'
import { classNames } from './class-names.ts'
import styles from './dialog.module.css'
import { IconButton } from './icon-button.tsx'
import typeStyles from './type.module.css'

interface DialogProps {
  open: boolean
  /** Called on Escape, on the close button and on a click on the backdrop. The parent then sets `open` to false. */
  onClose: () => void
  title: string
  children: ReactNode
  /** The shape of the dialog. `wide` fits two columns; `sheet` fills the height at the edge of the screen. */
  shape?: 'normal' | 'wide' | 'sheet'
  /** Shows the title to screen readers only. */
  titleHidden?: boolean
  /** A picture that fills the start of the dialog, or its top on small screens. The title is then below the line of the close button. */
  picture?: ReactNode
  /** Content on the line of the close button, at its start; requires `picture`. */
  lead?: ReactNode
  onKeyDown?: KeyboardEventHandler<HTMLDialogElement>
}

/**
 * The element that opened a dialog whose chunk is being loaded. This element is focused when the dialog is shown, so that the dialog
 * returns the focus to it on close, even if the person has pressed Tab in the meantime.
 */
export const loadingDialog: { opener?: Element | null } = {}

/** A modal dialog on the native `<dialog>` element, which traps the focus and restores it on close. */
export function Dialog({ open, onClose, title, children, shape = 'normal', titleHidden = false, picture, lead, onKeyDown }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  /** Whether the last press began on the backdrop. A text selection that is dragged from the inside must not close the dialog. */
  const pressedOnBackdrop = useRef(false)

  useEffect(() => {
    const dialogElement = dialog.current
    if (!dialogElement || dialogElement.open === open) return
    if (!open) return dialogElement.close()
    const { opener } = loadingDialog
    if (opener instanceof HTMLElement) opener.focus({ preventScroll: true })
    loadingDialog.opener = null
    dialogElement.showModal()
  }, [open])

  // Closes the dialog when the browser goes back or forward, because a dialog of the layout, such as the menu, would stay open over the
  // other page.
  useEffect(() => (open ? addListener(window, 'popstate', () => dialog.current?.close()) : undefined), [open])

  return (
    <dialog
      ref={dialog}
      className={classNames(styles.dialog, styles[shape])}
      aria-labelledby={titleId}
      onKeyDown={onKeyDown}
      onClose={(event) => {
        // Ignores close events of nested dialogs, which bubble in React.
        if (event.target === event.currentTarget) onClose()
      }}
      onPointerDown={(event) => {
        pressedOnBackdrop.current = isPressOnBackdrop(event)
      }}
      onClick={(event) => {
        if (pressedOnBackdrop.current && isPressOnBackdrop(event)) event.currentTarget.close()
      }}
    >
      {open && (
        <div className={classNames(styles.panel, picture !== undefined && styles.pictured)}>
          {picture}
          <div className={styles.header}>
            {lead}
            <h2
              id={titleId}
              dir="auto"
              className={
                titleHidden ? typeStyles.hidden : classNames(typeStyles.head, picture === undefined ? typeStyles.d1 : typeStyles.d2)
              }
              aria-live={picture === undefined ? undefined : 'polite'}
            >
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

/** Whether a pointer event hit the backdrop: its target is the dialog, its position is outside the dialog's box. */
function isPressOnBackdrop(event: React.MouseEvent<HTMLDialogElement>): boolean {
  if (event.target !== event.currentTarget) return false
  const box = event.currentTarget.getBoundingClientRect()
  return event.clientX < box.left || event.clientX > box.right || event.clientY < box.top || event.clientY > box.bottom
}
