import { useState } from 'react'
import { Dialog } from '../../ui/dialog.tsx'
import { formatBytes, formatPlural } from '../../ui/format.ts'
import { ErrorState, Notice } from '../../ui/states.tsx'
import { useFocusAfterRemoval } from '../../ui/use-focus-after-removal.ts'
import { BatchActions } from './batch-actions.tsx'
import styles from './batch-dialog.module.css'
import { BatchList } from './batch-list.tsx'
import { type BatchChoice, BatchSetup, EMPTY_CHOICE } from './batch-setup.tsx'
import { type DroppedItems, useBatchState } from './use-batch.ts'
import type { Batch, BatchProblem, BatchState, Engine } from './use-maker.ts'

interface BatchDialogProps {
  open: boolean
  onClose: () => void
  engine: Engine
  batch: Batch | 'failed' | undefined
  dropped: DroppedItems | undefined
  onDroppedSongsAdded: () => void
}

/** Renders the dialog in which many songs are exported with one choice of settings. */
export function BatchDialog({ open, onClose, engine, batch, dropped, onDroppedSongsAdded }: BatchDialogProps) {
  const [batchChoice, setChoice] = useState<BatchChoice>(EMPTY_CHOICE)
  return (
    <Dialog open={open} onClose={onClose} title="Many songs" shape="wide">
      {batch === 'failed' ? (
        <ErrorState title="A part of the page did not arrive." />
      ) : batch === undefined ? (
        <div className={styles.place} aria-busy="true" />
      ) : (
        <BatchContent
          engine={engine}
          batch={batch}
          choice={batchChoice}
          setChoice={setChoice}
          dropped={dropped}
          onDroppedSongsAdded={onDroppedSongsAdded}
        />
      )}
    </Dialog>
  )
}

function BatchContent({ batch, dropped, ...setup }: Parameters<typeof BatchSetup>[0]) {
  const state = useBatchState(batch)
  const [contentElement, setContent] = useState<HTMLElement | null>(null)
  useFocusAfterRemoval(contentElement)
  if (state.phase === 'opening') return <div className={styles.place} aria-busy="true" />
  if (state.phase === 'elsewhere')
    return <Notice icon="info">Songs are being made in another tab. They appear here when that tab is closed.</Notice>
  return (
    <div ref={setContent} tabIndex={-1} className={styles.stack}>
      {state.phase === 'empty' ? (
        <BatchSetup batch={batch} dropped={dropped} {...setup} />
      ) : (
        <>
          {dropped && <Notice icon="info">The dropped songs were not added. Finish this batch first.</Notice>}
          {state.problem && <Notice kind="bad">{describeProblem(state.problem, state.phase)}</Notice>}
          <Summary state={state} />
          <BatchList batch={batch} state={state} />
          <BatchActions batch={batch} state={state} />
        </>
      )}
    </div>
  )
}

const PROBLEM_TEXTS: Record<BatchProblem, string> = {
  'no-room': 'Paused: This device has no room left. Make some, then press Continue. The songs that are done stay.',
  'no-storage': 'Paused: This browser keeps no files for this page, as in a private window. Please use another window or browser.',
  'folder-lost': 'Paused: The files could not be written. Choose a folder again, then press Continue. The songs that are done stay.',
  refused: 'Paused: The browser may not use the folder. Press Continue and allow it.',
}

function describeProblem(problem: BatchProblem, phase: BatchState['phase']): string {
  if (phase !== 'ended') return PROBLEM_TEXTS[problem]
  return problem === 'no-room'
    ? 'This device has no room left to complete the ZIP file. Make some, then press Save the ZIP file. The songs that are done stay.'
    : 'The ZIP file could not be completed. Press Save the ZIP file to try again. The songs that are done stay.'
}

/** Shows the progress of the batch, and what happens if the tab is closed. */
function Summary({ state: { phase, items, folderName } }: { state: BatchState }) {
  const countItems = (state: BatchState['items'][number]['state']) => items.filter((item) => item.state === state).length
  const [doneCount, failedCount, cancelledCount] = [countItems('done'), countItems('failed'), countItems('cancelled')]
  const missingCount = items.filter(({ isMissing }) => isMissing).length
  const copiedBytes = items.reduce((sum, { source, state, bytes }) => sum + (source === 'copy' && state !== 'done' ? bytes : 0), 0)
  const waitingUncopiedCount = items.filter(({ source, state }) => source === 'page' && state === 'waiting').length
  return (
    <div className={styles.summary}>
      <p role="status">
        <strong>
          {doneCount} of {formatPlural(items.length, 'song')} done
        </strong>
        {failedCount > 0 && `, ${failedCount} failed`}
        {cancelledCount > 0 && `, ${cancelledCount} cancelled`}
        {missingCount > 0 && `, ${missingCount} to be picked again`}
      </p>
      <progress max={items.length} value={doneCount + failedCount + cancelledCount} aria-label="All songs" />
      <p className={styles.note}>
        {folderName === undefined ? 'Collected in a ZIP file on this device.' : `Written into the folder “${folderName}”.`}{' '}
        {phase === 'running' && 'You can close this window and go on. If the tab is closed, this page offers to continue. '}
        {copiedBytes > 0 && `Copies of the songs that are not done take ${formatBytes(copiedBytes)} here. `}
        {phase === 'running' &&
          waitingUncopiedCount > 0 &&
          `If the tab is closed, ${formatPlural(waitingUncopiedCount, 'song')} must be picked again.`}
      </p>
    </div>
  )
}
