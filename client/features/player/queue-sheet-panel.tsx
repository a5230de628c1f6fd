import { useEffect, useRef } from 'react'
import { classNames } from '../../ui/class-names.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import typeStyles from '../../ui/type.module.css'
import { QueuePanel } from './queue-panel.tsx'
import styles from './queue-sheet-panel.module.css'

/** The queue above the dock. It is not modal, so that the player beside it stays visible and usable. */
export function QueueSheetPanel({ onClose }: { onClose: () => void }) {
  const sheet = useRef<HTMLDivElement>(null)
  useEffect(() => {
    sheet.current?.showPopover()
    sheet.current?.focus()
  }, [])
  return (
    <div
      ref={sheet}
      // A manual popover stays open while the player's buttons are pressed.
      popover="manual"
      role="dialog"
      aria-label="Queue"
      tabIndex={-1}
      className={styles.sheet}
      onKeyDown={(event) => {
        // Escape in a row's menu closes the menu only.
        const isInMenu = event.target instanceof Element && event.target.closest('[role="menu"]') !== null
        if (event.key !== 'Escape' || isInMenu) return
        event.preventDefault()
        onClose()
      }}
    >
      <div className={styles.header}>
        <h2 className={classNames(typeStyles.head, typeStyles.d1)}>Queue</h2>
        <IconButton icon="close" label="Close" onClick={onClose} />
      </div>
      <QueuePanel hasHeading={false} />
    </div>
  )
}
