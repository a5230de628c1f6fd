import { useEffect, useState } from 'react'
import { useUnsent } from '../../bindings/unsent.ts'
import { formatPlural } from '../../ui/format.ts'
import { Notice } from '../../ui/states.tsx'
import styles from './unsent-list.module.css'

/** What goes at once is not worth a word. */
const CALM_MS = 3_000

/** One line while something waits to be sent, or was refused. */
export function UnsentLine() {
  const { rows } = useUnsent()
  const some = rows.length > 0
  const [lasting, setLasting] = useState(false)
  useEffect(() => {
    if (!some) return setLasting(false)
    const timer = setTimeout(() => setLasting(true), CALM_MS)
    return () => clearTimeout(timer)
  }, [some])
  const failed = rows.filter(({ state }) => state === 'failed').length
  const waiting = rows.length - failed
  if (!lasting || !some) return null
  return (
    <Notice icon={failed > 0 ? 'warning' : 'offline'}>
      <div className={styles.line}>
        <span>
          {waiting > 0 && `${formatPlural(waiting, 'change')} ${waiting === 1 ? 'waits' : 'wait'} to be sent. `}
          {failed > 0 && `${formatPlural(failed, 'change')} could not be sent.`}
        </span>
        <a className={styles.link} href="/storage#unsent">
          Show
        </a>
      </div>
    </Notice>
  )
}
