import { type ReactNode, useState } from 'react'
import { TransientMessage } from '../../components/transient-message.tsx'
import { useBusyWhile } from '../../hooks/update.ts'
import { Button } from '../../ui/button.tsx'
import { authErrorMessage } from './auth-messages.ts'
import styles from './auth-page.module.css'
import type { AuthAction, PasswordPolicyCheck } from './use-account.ts'

interface AuthFormProps<A extends unknown[]> {
  attempt: AuthAction<A>
  submitLabel: string
  /** Whether the form deletes something, so that its button is not highlighted as the next step. */
  isDestructive?: boolean
  /** Called on submit with the fields; not called while an attempt is running. */
  onSubmit: (fields: FormData, form: HTMLFormElement) => void
  advice?: PasswordPolicyCheck | undefined
  /** Disables the validation messages of the browser; the page shows its own. */
  noValidate?: boolean
  /** The message above the fields. After a failed attempt, the error message replaces it. */
  message?: ReactNode
  children: ReactNode
}

/** A form of the account pages: fields, the result of the last attempt and a submit button. */
export function AuthForm<A extends unknown[]>({
  attempt,
  submitLabel,
  isDestructive = false,
  onSubmit,
  advice,
  noValidate = false,
  message,
  children,
}: AuthFormProps<A>) {
  const [isDirty, setDirty] = useState(false)
  const { busy, result } = attempt
  const code = result?.error?.code
  useBusyWhile(isDirty, 'form')
  return (
    // JavaScript submits the form. `method="post"` keeps passwords out of the URL if the browser submits it before hydration.
    <form
      method="post"
      className={styles.form}
      noValidate={noValidate}
      onInput={(event) => {
        const form = event.currentTarget
        setDirty([...new FormData(form).values()].some((value) => value !== ''))
      }}
      onReset={() => setDirty(false)}
      onSubmit={(event) => {
        event.preventDefault()
        if (!busy) onSubmit(new FormData(event.currentTarget), event.currentTarget)
      }}
    >
      {code === undefined && message}
      {code !== undefined && (
        <TransientMessage key={result?.count} kind="bad" text={authErrorMessage(code, advice, result?.error?.message)} />
      )}
      {children}
      <Button type="submit" variant={isDestructive ? 'secondary' : 'primary'} size="big" busy={busy}>
        {code === 'network-request-failed' || code === 'offline' ? 'Retry' : submitLabel}
      </Button>
    </form>
  )
}
