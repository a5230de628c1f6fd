import { useEffect, useRef, useState } from 'react'
import { useOffline, useStoreHealth } from '../../bindings/offline.ts'
import { songPath } from '../../bindings/paths.ts'
import { type Unsent, useSongTitles, useUnsent } from '../../bindings/unsent.ts'
import { classNames } from '../../ui/class-names.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { formatPlural } from '../../ui/format.ts'
import { Key } from '../../ui/key.tsx'
import { SectionHeading } from '../../ui/section-heading.tsx'
import typeStyles from '../../ui/type.module.css'
import { type ChangeKind, type UnsentChange, unsentChanges } from './unsent-changes.ts'
import styles from './unsent-list.module.css'

const FIRST_SHOWN = 20

/** What the site was not told yet, for who wants to know. Nothing where there was nothing. */
export function UnsentList() {
  const unsent = useUnsent()
  const some = unsent.rows.length > 0
  const [was, setWas] = useState(false)
  if (some && !was) setWas(true)
  return was ? <Section unsent={unsent} /> : null
}

function Section({ unsent }: { unsent: Unsent }) {
  const { rows, send, discard } = unsent
  const offline = useOffline()
  const health = useStoreHealth()
  const kept = health === 'kept' || health === 'restarted' ? 'Kept on this device' : 'Kept as long as this page is open'
  const section = useRef<HTMLElement>(null)
  const hadFocus = useRef(false)
  const [busy, setBusy] = useState(false)
  const [asking, setAsking] = useState(false)
  const [all, setAll] = useState(false)
  const changes = unsentChanges(rows)
  const shown = all ? changes : changes.slice(0, FIRST_SHOWN)
  const titles = useSongTitles(shown.flatMap(({ isSong, subject }) => (isSong ? [subject] : [])))

  // It comes after the page: a link that leads here finds nothing yet.
  useEffect(() => {
    if (location.hash === '#unsent') section.current?.scrollIntoView()
  }, [])
  // What went with the focus on it leaves it here.
  const count = rows.length
  // biome-ignore lint/correctness/useExhaustiveDependencies: only where rows have gone.
  useEffect(() => {
    if (document.activeElement === document.body && hadFocus.current) section.current?.focus({ preventScroll: true })
  }, [count])

  const sendNow = async () => {
    setBusy(true)
    await send()
    setBusy(false)
  }
  return (
    <section
      id="unsent"
      ref={section}
      tabIndex={-1}
      className={styles.section}
      aria-labelledby="unsent-heading"
      onFocus={() => {
        hadFocus.current = true
      }}
      onBlur={({ relatedTarget }) => {
        if (relatedTarget) hadFocus.current = false
      }}
    >
      <SectionHeading id="unsent-heading" end={count > 0 && <span className={typeStyles.mono}>{formatPlural(count, 'change')}</span>}>
        Not sent yet
      </SectionHeading>
      <div className={styles.line}>
        <p role="status">
          {count === 0 ? 'Everything is sent.' : offline ? `${kept}, and sent with the next connection.` : `${kept} until the site has it.`}
        </p>
        {count > 0 && (
          <div className={styles.keys}>
            <Key busy={busy} onClick={() => void sendNow()}>
              Send now
            </Key>
            <Key variant="flat" icon="trash" onClick={() => setAsking(true)}>
              Discard all
            </Key>
          </div>
        )}
      </div>
      {count > 0 && (
        <ul className={styles.rows} aria-label="Not sent yet">
          {shown.map((change) => (
            <Row key={change.ids[0]} change={change} title={titles.get(change.subject)} unsent={unsent} />
          ))}
        </ul>
      )}
      {shown.length < changes.length && (
        <Key variant="flat" onClick={() => setAll(true)}>
          Show all {changes.length}
        </Key>
      )}
      <Dialog open={asking} onClose={() => setAsking(false)} title="Discard all changes?">
        <p className={typeStyles.muted}>
          {formatPlural(count, 'change')} will never reach the site. What was changed here is shown as the site has it.
        </p>
        <div className={styles.choices}>
          <Key variant="lit" onClick={() => setAsking(false)}>
            Keep them
          </Key>
          <Key
            icon="trash"
            onClick={() => {
              setAsking(false)
              void discard(rows.map(({ id }) => id))
            }}
          >
            Discard all
          </Key>
        </div>
      </Dialog>
    </section>
  )
}

const words: Record<ChangeKind, string> = {
  added: 'Favorite added',
  removed: 'Favorite removed',
  export: 'Export recorded',
  play: 'Song played',
  report: 'Report',
  message: 'Message',
}

function Row({ change, title, unsent }: { change: UnsentChange; title: string | undefined; unsent: Unsent }) {
  const { ids, kind, subject, isSong, refusal } = change
  const name = title ?? subject
  const times = ids.length > 1 ? ` (${ids.length} times)` : ''
  return (
    <li className={styles.row}>
      <div className={styles.what}>
        <span className={typeStyles.muted}>
          {words[kind]}
          {times}
        </span>
        {isSong ? (
          <a className={styles.subject} dir="auto" href={songPath(subject)}>
            {name}
          </a>
        ) : (
          <span className={styles.subject} dir="auto">
            {name}
          </span>
        )}
      </div>
      <span className={classNames(styles.state, refusal !== undefined && styles.refused)}>
        {refusal === undefined ? 'Waiting' : `Not sent: ${refusal}`}
      </span>
      <div className={styles.keys}>
        <Key variant="flat" icon="loop" onClick={() => void (refusal === undefined ? unsent.send() : unsent.retry(ids))}>
          Retry<span className={typeStyles.hidden}> {name}</span>
        </Key>
        <Key variant="flat" icon="trash" onClick={() => void unsent.discard(ids)}>
          Discard<span className={typeStyles.hidden}> {name}</span>
        </Key>
      </div>
    </li>
  )
}
