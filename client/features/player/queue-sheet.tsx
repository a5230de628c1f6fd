import { useState } from 'react'
import { Dialog } from '../../ui/dialog.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Key } from '../../ui/key.tsx'
import { createPart } from '../../ui/part.tsx'

const QueuePanel = createPart(() => import('./queue-panel.tsx').then((module) => module.QueuePanel))

/** A button that opens the queue over the page. `wordy` shows its words. */
export function QueueSheetButton({ wordy = false, className }: { wordy?: boolean; className?: string | undefined }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <span className={className}>
        {wordy ? (
          <Key variant="flat" icon="queue" onClick={() => setOpen(true)}>
            Show the whole queue
          </Key>
        ) : (
          <IconButton icon="queue" label="Queue" look="bright" aria-haspopup="dialog" onClick={() => setOpen(true)} />
        )}
      </span>
      <Dialog open={open} onClose={() => setOpen(false)} title="Queue" shape="sheet">
        <QueuePanel titled={false} />
      </Dialog>
    </>
  )
}
