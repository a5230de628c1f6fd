import { type ReactNode, type SubmitEvent, useState } from 'react'
import type { AccountAction } from '../hooks/account-data.ts'
import { useBusyWhile } from '../hooks/update.ts'
import { Button } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import styles from './account-form.module.css'
import { TransientMessage } from './transient-message.tsx'

interface AccountFormProps<A extends unknown[]> {
  label: string
  action: AccountAction<A>
  submitLabel: string
  /** The message that is shown after the action succeeded. */
  successText: string
  /** Called on submit, but not while the action runs. Resolves with whether the action succeeded. */
  onSubmit: (form: HTMLFormElement) => Promise<boolean>
  /**
   * A sentence and buttons about unsaved changes, beside the submit button. If it is given, the submit button stays at the foot of the
   * window.
   */
  pending?: ReactNode
  children: ReactNode
}

/** A form that changes data of the signed-in account: fields, the result of the last attempt and a submit button. */
export function AccountForm<A extends unknown[]>({
  label,
  action,
  submitLabel,
  successText,
  onSubmit,
  pending,
  children,
}: AccountFormProps<A>) {
  const [hasTypedText, setHasTypedText] = useState(false)
  const { busy, result } = action
  useBusyWhile(hasTypedText, 'form')
  const submit = async (form: HTMLFormElement) => {
    if (await onSubmit(form)) setHasTypedText(false)
  }
  return (
    <form
      method="post"
      noValidate
      aria-label={label}
      className={styles.form}
      onInput={() => {
        setHasTypedText(true)
        // Clears the result message of the last attempt, which does not apply to the changed values.
        if (result) action.clear()
      }}
      onSubmit={(event: SubmitEvent<HTMLFormElement>) => {
        event.preventDefault()
        if (!busy) void submit(event.currentTarget)
      }}
    >
      {children}
      {result && (
        <TransientMessage
          key={result.count}
          kind={result.error ? 'bad' : 'good'}
          text={result.error ? describeFailure(result.error) : successText}
          onHide={action.clear}
        />
      )}
      <div className={classNames(styles.foot, Boolean(pending) && styles.pending)}>
        <Button type="submit" variant="primary" size="big" busy={busy}>
          {submitLabel}
        </Button>
        {pending}
      </div>
    </form>
  )
}

const describeFailure = ({ kind, message }: { kind: 'network' | 'api'; message: string }) =>
  kind === 'network' ? 'You need a connection for this. What you typed is still here.' : message
