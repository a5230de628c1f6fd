import { useEffect, useState } from 'react'
import { isOnDisk, useDatabaseHealth, useOffline } from '../../hooks/offline.ts'
import { type LoadedOutbox, useOutbox, useStoredTitles } from '../../hooks/outbox.ts'
import { createSongPath } from '../../hooks/paths.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { formatPlural } from '../../ui/format.ts'
import { SectionHeading } from '../../ui/section-heading.tsx'
import typeStyles from '../../ui/type.module.css'
import { useFocusAfterRemoval } from '../../ui/use-focus-after-removal.ts'
import { type ChangeKind, groupOutboxRows, type OutboxChange } from './outbox-changes.ts'
import styles from './outbox-list.module.css'

const INITIAL_ROW_COUNT = 20

/** Lists the changes in the outbox. Renders nothing while the outbox has had no change since the page was opened. */
export function OutboxList() {
  const outbox = useOutbox()
  const hasOutboxRows = outbox.rows.length > 0
  const [hadRows, setHadRows] = useState(false)
  if (hasOutboxRows && !hadRows) setHadRows(true)
  return hadRows ? <OutboxSection outbox={outbox} /> : null
}

function OutboxSection({ outbox }: { outbox: LoadedOutbox }) {
  const { rows, send, discard } = outbox
  const isOffline = useOffline()
  const storageText = isOnDisk(useDatabaseHealth()) ? 'Kept on this device' : 'Kept while this page is open'
  const [sectionElement, setSection] = useState<HTMLElement | null>(null)
  useFocusAfterRemoval(sectionElement)
  const [isBusy, setBusy] = useState(false)
  const [isConfirmingDiscard, setConfirming] = useState(false)
  const [isListExpanded, setExpanded] = useState(false)
  const changes = groupOutboxRows(rows)
  const shownChanges = isListExpanded ? changes : changes.slice(0, INITIAL_ROW_COUNT)
  const titleById = useStoredTitles(shownChanges.flatMap(({ titleId }) => titleId ?? []))

  // Scrolls to the section, which is rendered after the browser has handled the hash of the URL.
  useEffect(() => {
    if (location.hash === '#unsent') sectionElement?.scrollIntoView()
  }, [sectionElement])
  const changeCount = rows.length

  const sendOutboxNow = async () => {
    setBusy(true)
    await send()
    setBusy(false)
  }
  return (
    <section id="unsent" ref={setSection} tabIndex={-1} className={styles.section} aria-labelledby="unsent-heading">
      <SectionHeading
        id="unsent-heading"
        endContent={changeCount > 0 && <span className={typeStyles.mono}>{formatPlural(changeCount, 'change')}</span>}
      >
        Not sent yet
      </SectionHeading>
      <div className={styles.line}>
        <p role="status">
          {changeCount === 0
            ? 'Everything is sent.'
            : isOffline
              ? `${storageText}, to be sent with the next connection.`
              : `${storageText} until the site has it.`}
        </p>
        {changeCount > 0 && (
          <div className={styles.buttons}>
            <Button busy={isBusy} onClick={() => void sendOutboxNow()}>
              Send now
            </Button>
            <Button variant="tertiary" icon="trash" onClick={() => setConfirming(true)}>
              Discard all
            </Button>
          </div>
        )}
      </div>
      {changeCount > 0 && (
        <ul className={styles.rows} aria-label="Not sent yet">
          {shownChanges.map((change, index) => (
            <ChangeRow key={change.rowIds[0]} index={index} change={change} title={titleById.get(change.titleId ?? '')} outbox={outbox} />
          ))}
        </ul>
      )}
      {shownChanges.length < changes.length && (
        <Button variant="tertiary" onClick={() => setExpanded(true)}>
          Show all {changes.length}
        </Button>
      )}
      <Dialog open={isConfirmingDiscard} onClose={() => setConfirming(false)} title="Discard all changes?">
        <p className={typeStyles.muted}>
          {formatPlural(changeCount, 'change')} will never reach the site, and what you changed here is undone.
        </p>
        <div className={styles.choices}>
          <Button variant="primary" onClick={() => setConfirming(false)}>
            Keep them
          </Button>
          <Button
            icon="trash"
            onClick={() => {
              setConfirming(false)
              void discard(rows.map(({ id }) => id))
            }}
          >
            Discard all
          </Button>
        </div>
      </Dialog>
    </section>
  )
}

const kindLabels: Record<ChangeKind, string> = {
  added: 'Favorite added',
  removed: 'Favorite removed',
  playlist: 'Playlist changed',
  followed: 'Artist followed',
  unfollowed: 'Artist unfollowed',
  export: 'Export recorded',
  play: 'Song played',
  report: 'Report',
  message: 'Message',
}

interface ChangeRowProps {
  index: number
  change: OutboxChange
  title: string | undefined
  outbox: LoadedOutbox
}

function ChangeRow({ index, change, title, outbox }: ChangeRowProps) {
  const { rowIds, kind, subjectText, isSong, editPath, refusalText } = change
  const shownTitle = title ?? subjectText
  const timesText = rowIds.length > 1 ? ` (${rowIds.length} times)` : ''
  return (
    <li className={styles.row} data-index={index}>
      <div className={styles.description}>
        <span className={typeStyles.muted}>
          {kindLabels[kind]}
          {timesText}
        </span>
        {isSong ? (
          <a className={styles.subject} dir="auto" href={createSongPath(subjectText)}>
            {shownTitle}
          </a>
        ) : (
          <span className={styles.subject} dir="auto">
            {shownTitle}
          </span>
        )}
      </div>
      <span className={classNames(styles.state, refusalText !== undefined && styles.refused)}>
        {refusalText === undefined ? 'Waiting' : `Not sent: ${refusalText}`}
      </span>
      <div className={styles.buttons}>
        {editPath !== undefined && refusalText !== undefined && (
          <Button variant="tertiary" to={editPath}>
            Edit<span className={typeStyles.hidden}> {shownTitle}</span>
          </Button>
        )}
        <Button variant="tertiary" icon="loop" onClick={() => void (refusalText === undefined ? outbox.send() : outbox.retry(rowIds))}>
          Retry<span className={typeStyles.hidden}> {shownTitle}</span>
        </Button>
        <Button variant="tertiary" icon="trash" onClick={() => void outbox.discard(rowIds)}>
          Discard<span className={typeStyles.hidden}> {shownTitle}</span>
        </Button>
      </div>
    </li>
  )
}
