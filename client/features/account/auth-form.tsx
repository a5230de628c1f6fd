import { type ReactNode, useState } from 'react'
import type { Attempt, PasswordAdvice } from '../../bindings/account.ts'
import { useBusyWhile } from '../../bindings/busy.ts'
import { Key } from '../../ui/key.tsx'
import { Notice } from '../../ui/states.tsx'
import styles from './auth-page.module.css'
import { sentenceFor } from './auth-words.ts'

interface AuthFormProps<A extends unknown[]> {
  attempt: Attempt<A>
  /** What the button says. */
  action: string
  /** A failure that the browser's own checks do not find; then nothing is sent. */
  onSubmit: (fields: FormData, form: HTMLFormElement) => void
  advice?: PasswordAdvice | undefined
  /** The messages are the page's own, not the browser's. */
  noValidate?: boolean
  /** Above the fields: what went wrong, or right, that the service knows nothing of. */
  message?: ReactNode
  children: ReactNode
}

/** One task: its fields, what became of it, and the one button. */
export function AuthForm<A extends unknown[]>({
  attempt,
  action,
  onSubmit,
  advice,
  noValidate = false,
  message,
  children,
}: AuthFormProps<A>) {
  const [begun, setBegun] = useState(false)
  const { busy, failure } = attempt
  useBusyWhile(begun, 'form')
  return (
    // Sent by the program. Were it ever sent by the browser, no password would stand in an address.
    <form
      method="post"
      className={styles.form}
      noValidate={noValidate}
      onInput={(event) => {
        const form = event.currentTarget
        setBegun([...new FormData(form).values()].some((value) => value !== ''))
      }}
      onReset={() => setBegun(false)}
      onSubmit={(event) => {
        event.preventDefault()
        if (!busy) onSubmit(new FormData(event.currentTarget), event.currentTarget)
      }}
    >
      {!failure && message}
      {failure && (
        <Notice key={failure.count} kind="bad">
          {sentenceFor(failure.code, advice)}
        </Notice>
      )}
      {children}
      <Key type="submit" variant="lit" size="big" busy={busy}>
        {failure?.code === 'network-request-failed' || failure?.code === 'offline' ? 'Retry' : action}
      </Key>
    </form>
  )
}

export const textOf = (fields: FormData, name: string): string => {
  const value = fields.get(name)
  return typeof value === 'string' ? value : ''
}
