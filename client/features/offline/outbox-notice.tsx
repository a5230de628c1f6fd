import { useEffect, useState } from 'react'
import { useOutbox } from '../../hooks/outbox.ts'
import { formatPlural } from '../../ui/format.ts'
import { Notice } from '../../ui/states.tsx'
import styles from './outbox-list.module.css'

/** The time in milliseconds for which a change waits in the outbox before the notice shows it. */
const NOTICE_DELAY_MS = 3_000

/** Shows the number of waiting and refused changes in the outbox. */
export function OutboxNotice() {
  const { rows } = useOutbox()
  const hasOutboxRows = rows.length > 0
  const [isNoticeVisible, setVisible] = useState(false)
  useEffect(() => {
    if (!hasOutboxRows) return setVisible(false)
    const timer = setTimeout(() => setVisible(true), NOTICE_DELAY_MS)
    return () => clearTimeout(timer)
  }, [hasOutboxRows])
  const failedCount = rows.filter(({ state }) => state === 'failed').length
  const waitingCount = rows.length - failedCount
  if (!isNoticeVisible || !hasOutboxRows) return null
  return (
    <Notice icon={failedCount > 0 ? 'warning' : 'offline'}>
      <div className={styles.line}>
        <span>
          {waitingCount > 0 && `${formatPlural(waitingCount, 'change')} ${waitingCount === 1 ? 'waits' : 'wait'} to be sent. `}
          {failedCount > 0 && `${formatPlural(failedCount, 'change')} could not be sent.`}
        </span>
        <a className={styles.link} href="/storage#unsent">
          Show
        </a>
      </div>
    </Notice>
  )
}
