import { type KeepState, useKeep } from '../../bindings/keep.ts'
import { useKeepingRefused, useSilent } from '../../bindings/offline.ts'
import { formatBytes } from '../../ui/format.ts'
import { Key } from '../../ui/key.tsx'
import typeStyles from '../../ui/type.module.css'
import styles from './keep-key.module.css'

const refusals = {
  refused: 'This browser keeps nothing for this site.',
  full: 'This device is full.',
  blocked: 'Another tab of this site is of an older version: close it first.',
  outdated: 'A newer version of this site has been here: update first.',
} as const

/** Keeps a playlist on this device, or frees it again. */
export function KeepKey({ id, title, songCount }: { id: string; title: string; songCount: number }) {
  const state = useKeep(id, title, songCount)
  const { kept, keeping, bytes } = state
  const refused = useKeepingRefused()
  // What would be gone with the page is not promised.
  const reason = !kept && !keeping && refused ? refusals[refused] : undefined
  return (
    <div className={styles.keep}>
      <Key
        size="big"
        variant="flat"
        pressed={kept === true}
        disabled={reason !== undefined}
        onClick={kept ? state.remove : state.keep}
        className={styles.key ?? ''}
      >
        Keep offline
        <span className={typeStyles.legend}>
          {state.complete ? '' : 'about '}
          {formatBytes(bytes)}
        </span>
      </Key>
      {reason && (
        <p className={styles.reason}>
          {reason}{' '}
          {refused === 'full' && (
            <a className={typeStyles.link} href="/storage">
              Free space
            </a>
          )}
        </p>
      )}
      {keeping && <KeepProgress {...state} keeping={keeping} />}
    </div>
  )
}

const progressText = ({ done, total }: { done: number; total: number }) => (total === 0 ? 'Begins...' : `${done} of ${total}`)

const halts = {
  offline: 'Waits for a connection, then goes on.',
  full: 'This device is full.',
  failed: 'It could not be fetched.',
} as const
const NO_ANSWER = 'Waits for the site, then goes on.'

function KeepProgress({ keeping, keep, remove }: KeepState & { keeping: NonNullable<KeepState['keeping']> }) {
  const { done, total, halted } = keeping
  const silent = useSilent()
  const halt = halted === 'offline' && silent ? NO_ANSWER : halted && halts[halted]
  return (
    <div className={styles.progress}>
      <progress className={styles.bar} value={done} max={Math.max(1, total)} aria-label="Kept so far" />
      <p className={styles.line}>
        {/* Read out where it halts, not at every picture. */}
        <span role={halted ? 'alert' : undefined}>{halt ?? progressText(keeping)}</span>
        {halted === 'full' && (
          <a className={typeStyles.link} href="/storage">
            Free space
          </a>
        )}
        {halted && (
          <button type="button" className={typeStyles.link} onClick={keep}>
            Retry
          </button>
        )}
        <button type="button" className={typeStyles.link} onClick={remove}>
          Cancel
        </button>
      </p>
    </div>
  )
}
