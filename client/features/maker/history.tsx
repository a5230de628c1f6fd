import { type UnsentFile, useMakeHistory } from '../../bindings/make-history.ts'
import { formatBytes, formatLongDate } from '../../ui/format.ts'
import { Key } from '../../ui/key.tsx'
import { SectionHeading } from '../../ui/section-heading.tsx'
import typeStyles from '../../ui/type.module.css'
import styles from './history.module.css'

/** What one has made, on this device and others; what the site does not know of yet stands above. */
export function History() {
  const { rows, unsent, retry, discard } = useMakeHistory()
  const isEmpty = rows?.length === 0 && unsent.length === 0
  return (
    <section className={styles.history} aria-labelledby="history-heading">
      <SectionHeading id="history-heading" level={2}>
        History
      </SectionHeading>
      {isEmpty && <p className={typeStyles.muted}>No history found.</p>}
      {!rows && unsent.length === 0 && <p className={typeStyles.muted}>It shows once the site can be reached.</p>}
      <ul>
        {unsent.map((file) => (
          <li key={file.id} className={styles.row}>
            <span className={styles.name}>{file.file_name}</span>
            <Unsent file={file} onRetry={() => retry(file.id)} onDiscard={() => discard(file.id)} />
          </li>
        ))}
        {rows?.map(({ id, file_name, file_size, created }) => (
          <li key={id} className={styles.row}>
            <span className={styles.name}>{file_name}</span>
            <span className={typeStyles.legend}>
              {formatBytes(file_size)}, {formatLongDate(created)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Unsent({ file, onRetry, onDiscard }: { file: UnsentFile; onRetry: () => void; onDiscard: () => void }) {
  if (file.refusal === undefined) return <span className={typeStyles.legend}>{formatBytes(file.file_size)}, waits for a connection</span>
  return (
    <span className={styles.refused}>
      <span className={typeStyles.legend}>Not recorded: {file.refusal}</span>
      <Key variant="flat" onClick={onRetry}>
        Retry
      </Key>
      <Key variant="flat" onClick={onDiscard}>
        Discard
      </Key>
    </span>
  )
}
