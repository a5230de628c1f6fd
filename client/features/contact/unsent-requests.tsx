import { useState } from 'react'
import { isOnDisk, useDatabaseHealth, useOffline } from '../../hooks/offline.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Icon } from '../../ui/icon.tsx'
import { Notice } from '../../ui/states.tsx'
import typeStyles from '../../ui/type.module.css'
import { useFocusAfterRemoval } from '../../ui/use-focus-after-removal.ts'
import styles from './contact-page.module.css'
import { topicOptions } from './topic-texts.ts'
import type { ContactOutboxRow, UnsentContactRequests } from './use-contact.ts'

interface UnsentRequestsProps extends ActionProps {
  /** Whether a message is shown when a waiting request has been sent. */
  isReportShown: boolean
}

interface ActionProps {
  unsent: UnsentContactRequests
  /** Moves a refused request into the form. */
  onEdit: (row: ContactOutboxRow) => void
}

/** Lists the requests that wait to be sent or were refused, and reports those that were sent. */
export function UnsentRequests({ unsent, isReportShown, onEdit }: UnsentRequestsProps) {
  const { rows, sentCount } = unsent
  const [container, setContainer] = useState<HTMLElement | null>(null)
  useFocusAfterRemoval(container)
  return (
    <div ref={setContainer} tabIndex={-1} className={styles.container}>
      {sentCount > 0 && isReportShown && (
        <div className={styles.notice}>
          <Notice key={sentCount} kind="good">
            Your request has been sent successfully!
          </Notice>
        </div>
      )}
      {rows.length > 0 && (
        <section className={styles.unsent} aria-labelledby="unsent-heading">
          <h2 id="unsent-heading" className={classNames(typeStyles.head, typeStyles.d1)}>
            Not sent yet
          </h2>
          <ul className={styles.rows}>
            {rows.map((row, index) => (
              <UnsentRequest key={row.id} index={index} row={row} unsent={unsent} onEdit={onEdit} />
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}

function UnsentRequest({ index, row, unsent, onEdit }: ActionProps & { index: number; row: ContactOutboxRow }) {
  const isOffline = useOffline()
  const [isSendingRequests, setSending] = useState(false)
  const { topic, message = '', youtube_url = '' } = row.body
  const isRowRefused = row.state === 'failed'
  const topicLabel = topicOptions.find(({ value }) => value === topic)?.label ?? topic
  const storageText = isOnDisk(useDatabaseHealth()) ? 'Kept on this device' : 'Kept while this page is open'
  const stateText = isRowRefused
    ? `Not sent: ${row.lastError || 'the site did not accept it.'}`
    : row.lastError !== ''
      ? `Not sent yet: ${row.lastError} We'll keep trying.`
      : isOffline
        ? `${storageText}, to be sent once the site is open here with a connection.`
        : `${storageText} until the site has it.`
  const sendNow = async () => {
    setSending(true)
    await unsent.send()
    setSending(false)
  }
  const nameSuffix = <span className={typeStyles.hidden}> {topicLabel}</span>
  return (
    <li className={styles.row} data-index={index}>
      <div className={styles.description}>
        <strong>{topicLabel}</strong>
        <span className={styles.excerpt} dir="auto">
          {message || youtube_url}
        </span>
        <span className={isRowRefused ? styles.refused : typeStyles.muted} role={isRowRefused ? 'alert' : 'status'}>
          {isRowRefused && <Icon name="warning" size="s" />}
          {stateText}
        </span>
      </div>
      <div className={styles.buttons}>
        {isRowRefused && <Button onClick={() => onEdit(row)}>Edit{nameSuffix}</Button>}
        {!isRowRefused && !isOffline && (
          <Button icon="loop" busy={isSendingRequests} onClick={() => void sendNow()}>
            Send now{nameSuffix}
          </Button>
        )}
        <Button variant="tertiary" icon="trash" onClick={() => void unsent.discard(row.id)}>
          Discard{nameSuffix}
        </Button>
      </div>
    </li>
  )
}
