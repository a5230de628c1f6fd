import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { lazyWithRetry } from '../../ui/lazy-with-retry.tsx'

const QueuePanel = lazyWithRetry(() => import('./queue-panel.tsx').then((module) => module.QueuePanel))

/** A button that opens the queue as a sheet. `labelled` shows the button's text instead of an icon. */
export function QueueSheetButton({ hasLabel = false, className }: { hasLabel?: boolean; className?: string | undefined }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <span className={className}>
        {hasLabel ? (
          <Button variant="tertiary" icon="queue" onClick={() => setOpen(true)}>
            Show the whole queue
          </Button>
        ) : (
          <IconButton icon="queue" label="Queue" look="bright" aria-haspopup="dialog" onClick={() => setOpen(true)} />
        )}
      </span>
      <Dialog open={isOpen} onClose={() => setOpen(false)} title="Queue" shape="sheet">
        <QueuePanel hasHeading={false} />
      </Dialog>
    </>
  )
}
