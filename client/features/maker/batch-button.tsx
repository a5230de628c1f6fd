import { Button } from '../../ui/button.tsx'
import { lazyDialog } from '../../ui/lazy-dialog.tsx'
import { type DroppedItems, useBatch, useBatchState } from './use-batch.ts'
import type { Batch, Engine } from './use-maker.ts'

const BatchDialog = lazyDialog('Many songs', () => import('./batch-dialog.tsx').then((module) => module.BatchDialog))

interface BatchButtonProps {
  engine: Engine
  isOpen: boolean
  /** Songs that were dropped on the page, for a new batch. */
  dropped: DroppedItems | undefined
  /** Called when a new batch has taken the dropped songs. */
  onDroppedSongsAdded: () => void
  onOpen: () => void
  onClose: () => void
}

/** Renders the button that opens the dialog for many songs, with the state of a running or waiting batch, and the dialog. */
export function BatchButton({ engine, isOpen, dropped, onDroppedSongsAdded, onOpen, onClose }: BatchButtonProps) {
  const batch = useBatch(engine, isOpen)
  return (
    <>
      <Button icon="list" variant="tertiary" onClick={onOpen}>
        Many songs{typeof batch === 'object' && <BatchStatus batch={batch} />}
      </Button>
      <BatchDialog
        open={isOpen}
        onClose={onClose}
        engine={engine}
        batch={batch}
        dropped={dropped}
        onDroppedSongsAdded={onDroppedSongsAdded}
      />
    </>
  )
}

function BatchStatus({ batch }: { batch: Batch }) {
  const { phase, items } = useBatchState(batch)
  const doneCount = items.filter(({ state }) => state === 'done').length
  if (phase === 'running') return `: ${doneCount} of ${items.length}`
  if (phase === 'paused') return `: ${items.filter(({ state }) => state === 'waiting').length} wait`
  return phase === 'ended' && ': finished'
}
