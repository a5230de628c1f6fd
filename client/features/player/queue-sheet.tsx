import { useRef, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { lazyWithRetry } from '../../ui/lazy-with-retry.tsx'

const QueueSheetPanel = lazyWithRetry(() => import('./queue-sheet-panel.tsx').then((module) => module.QueueSheetPanel))

/** A button that opens and closes the queue as a sheet beside the player. `hasLabel`: the button shows its text instead of an icon. */
export function QueueSheetButton({ hasLabel = false, className }: { hasLabel?: boolean; className?: string | undefined }) {
  const [isOpen, setOpen] = useState(false)
  const holderElement = useRef<HTMLSpanElement>(null)
  const toggleSheet = () => setOpen(!isOpen)
  const closeSheet = () => {
    setOpen(false)
    holderElement.current?.querySelector('button')?.focus()
  }
  return (
    <>
      <span className={className} ref={holderElement}>
        {hasLabel ? (
          <Button variant="tertiary" icon="queue" onClick={toggleSheet}>
            Show the whole queue
          </Button>
        ) : (
          <IconButton icon="queue" label="Queue" look="bright" aria-expanded={isOpen} onClick={toggleSheet} />
        )}
      </span>
      {isOpen && <QueueSheetPanel onClose={closeSheet} />}
    </>
  )
}
