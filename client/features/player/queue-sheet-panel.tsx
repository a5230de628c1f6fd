import { useEffect, useEffectEvent, useRef } from 'react'
import { addListener, createCleanupScope } from '../../primitives/scope.ts'
import { classNames } from '../../ui/class-names.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import typeStyles from '../../ui/type.module.css'
import { QueuePanel } from './queue-panel.tsx'
import styles from './queue-sheet-panel.module.css'

/** The queue above the dock. It is not modal, so that the player beside it stays visible and usable. */
export function QueueSheetPanel({ onClose }: { onClose: () => void }) {
  const sheetElement = useRef<HTMLDivElement>(null)
  useEffect(() => {
    sheetElement.current?.showPopover()
    sheetElement.current?.focus()
  }, [])
  const closeOnEscape = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented || !(event.target instanceof Element)) return
    // Handles Escape only if the focus is in the sheet, or on the body, where it is after the focused row was removed. Elsewhere Escape
    // belongs to the focused element.
    const isEventInPanel = event.target === document.body || sheetElement.current?.contains(event.target)
    // Escape closes only the menu of a row, or the dialog in front of the sheet.
    if (!isEventInPanel || event.target.closest('[role="menu"]') || document.querySelector('dialog[open]')) return
    event.preventDefault()
    onClose()
  })
  useEffect(() => addListener(document, 'keydown', (event) => closeOnEscape(event)), [])
  // The sheet is closed on navigation, because on a phone it would hide the page to which the browser's Back button or a notification leads.
  const closeIfItHidesThePage = useEffectEvent(() => {
    if (sheetElement.current && sheetElement.current.offsetWidth >= document.documentElement.clientWidth) onClose()
  })
  useEffect(() => {
    const scope = createCleanupScope()
    scope.listen(window, 'popstate', () => closeIfItHidesThePage())
    scope.listen(window, 'page-request', () => closeIfItHidesThePage())
    return scope.dispose
  }, [])
  return (
    <div
      ref={sheetElement}
      // A popover of the kind `manual` stays open while buttons of the player are pressed. Other popovers close on a press outside.
      popover="manual"
      role="dialog"
      aria-label="Queue"
      tabIndex={-1}
      className={styles.sheet}
    >
      <div className={styles.header}>
        <h2 className={classNames(typeStyles.head, typeStyles.d1)}>Queue</h2>
        <IconButton icon="close" label="Close" onClick={onClose} />
      </div>
      <QueuePanel hasHeading={false} />
    </div>
  )
}
