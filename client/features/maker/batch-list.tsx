import { useRef } from 'react'
import { formatBytes } from '../../ui/format.ts'
import { Icon } from '../../ui/icon.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import styles from './batch-dialog.module.css'
import { describeExportFailure, describeLoadFailure } from './messages.ts'
import { formatDecimals, SPEED_DECIMALS } from './setting-values.ts'
import { useBatchProgress } from './use-batch.ts'
import type { Batch, BatchItem, BatchState } from './use-maker.ts'

/** Lists the songs of a batch with their states and the buttons to cancel and to retry. */
export function BatchList({ batch, state }: { batch: Batch; state: BatchState }) {
  return (
    <ul className={styles.list} aria-label="Songs">
      {state.items.map((batchItem, index) => (
        <li key={batchItem.id} className={styles.row} data-index={index} data-state={batchItem.state}>
          <span className={styles.song}>
            <bdi className={styles.name}>{batchItem.name}</bdi>
            {batchItem.state === 'running' ? <SongProgress batch={batch} item={batchItem} /> : <ItemText item={batchItem} />}
          </span>
          {(batchItem.state === 'waiting' || batchItem.state === 'running') && (
            <IconButton icon="close" label={`Cancel ${batchItem.name}`} onClick={() => batch.cancel(batchItem.id)} />
          )}
          {(batchItem.state === 'failed' || batchItem.state === 'cancelled') && (
            <IconButton
              icon="loop"
              label={`Try ${batchItem.name} again`}
              disabled={state.phase === 'running'}
              onClick={() => void batch.retry(batchItem.id)}
            />
          )}
          {batchItem.state === 'done' && <Icon name="check" className={styles.check} />}
        </li>
      ))}
    </ul>
  )
}

function SongProgress({ batch, item }: { batch: Batch; item: BatchItem }) {
  const barElement = useRef<HTMLProgressElement>(null)
  useBatchProgress(batch, ({ id, progress }) => {
    if (id === item.id && barElement.current) barElement.current.value = progress
  })
  return <progress ref={barElement} max={1} value={0} aria-label={`Making ${item.name}`} />
}

function ItemText({ item }: { item: BatchItem }) {
  const text = describeItem(item)
  return text === '' ? null : <span className={styles.note}>{text}</span>
}

function describeItem({
  state,
  isMissing,
  folderPath,
  bytes,
  fileName,
  videoName,
  writtenBytes,
  fittedSpeed,
  loweredDb = 0,
  failure,
}: BatchItem): string {
  switch (state) {
    case 'waiting':
      return isMissing ? 'Must be picked again.' : [folderPath, formatBytes(bytes)].filter((part) => part !== '').join(', ')
    case 'done':
      return [
        fileName,
        videoName,
        writtenBytes !== undefined && formatBytes(writtenBytes),
        fittedSpeed === null && 'no beat that fits: the chosen speed was used',
        typeof fittedSpeed === 'number' && `speed ${formatDecimals(fittedSpeed, 0, SPEED_DECIMALS)}`,
        loweredDb >= 0.05 && `lowered by ${loweredDb.toFixed(1)} dB`,
      ]
        .filter((part) => typeof part === 'string')
        .join(', ')
    case 'cancelled':
      return 'Cancelled'
    case 'failed':
      return failure === undefined ? '' : (describeFailure(failure) ?? '')
    case 'running':
      return ''
  }
}

/** Returns the sentence about a failure, without the heading that a message on the page has. */
function describeFailure(failure: NonNullable<BatchItem['failure']>): string | undefined {
  const text = 'reason' in failure || isExportFailure(failure) ? describeExportFailure(failure) : describeLoadFailure(failure)
  return text?.replace(/^[A-Z][A-Za-z ]+: /, '')
}

type ExportFailure = Parameters<typeof describeExportFailure>[0]

const isExportFailure = (failure: NonNullable<BatchItem['failure']>): failure is ExportFailure =>
  ['no-length', 'no-room', 'closed', 'failed'].includes(failure.kind) || (failure.kind === 'too-large' && !('neededBytes' in failure))
