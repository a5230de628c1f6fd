import { type ReactNode, useEffect, useRef, useState } from 'react'
import { TransientMessage } from '../../components/transient-message.tsx'
import { useBusyWhile } from '../../hooks/update.ts'
import { Button } from '../../ui/button.tsx'
import { FieldProblems } from '../../ui/field.tsx'
import { describeAuthError } from './auth-messages.ts'
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
  /** The message above the fields. After a failed attempt, the error message replaces it. */
  message?: ReactNode
  children: ReactNode
}

/** Returns the message about the value of a required field or of an email address; `undefined` if it is valid. */
function describeProblem({ type, autocomplete, validity }: HTMLInputElement): string | undefined {
  if (validity.valueMissing) {
    if (type === 'email') return 'Please enter your email address.'
    return autocomplete === 'new-password' ? 'Please choose a password.' : 'Please enter your password.'
  }
  return validity.typeMismatch ? 'Please enter a complete email address, such as name@example.com.' : undefined
}

/** The error codes that a different new password can avoid. */
const newPasswordErrors: ReadonlySet<string> = new Set(['password-does-not-meet-requirements', 'weak-password'])

/** A form of the account pages: fields, the result of the last attempt and a submit button. */
export function AuthForm<A extends unknown[]>({
  attempt,
  submitLabel,
  isDestructive = false,
  onSubmit,
  advice,
  message,
  children,
}: AuthFormProps<A>) {
  const [hasTypedText, setHasTypedText] = useState(false)
  const { busy, result } = attempt
  const errorCode = result?.error?.code
  const [problemByField, setProblems] = useState<Partial<Record<string, string>>>({})
  const form = useRef<HTMLFormElement>(null)
  useBusyWhile(hasTypedText, 'form')
  // biome-ignore lint/correctness/useExhaustiveDependencies: two attempts can end with the same error.
  useEffect(() => {
    if (errorCode !== undefined && newPasswordErrors.has(errorCode))
      form.current?.querySelector<HTMLInputElement>('[autocomplete="new-password"]')?.focus()
  }, [result, errorCode])
  return (
    // JavaScript submits the form. `method="post"` keeps passwords out of the URL if the browser submits it before hydration.
    <form
      ref={form}
      method="post"
      className={styles.form}
      noValidate
      onInput={(event) => {
        const form = event.currentTarget
        if (event.target instanceof HTMLInputElement) setProblems({ ...problemByField, [event.target.name]: undefined })
        setHasTypedText([...new FormData(form).values()].some((value) => value !== ''))
      }}
      onReset={() => setHasTypedText(false)}
      onSubmit={(event) => {
        event.preventDefault()
        const form = event.currentTarget
        const wrongFields = [...form.elements]
          .filter((element) => element instanceof HTMLInputElement)
          .filter((field) => describeProblem(field) !== undefined)
        setProblems(Object.fromEntries(wrongFields.map((field) => [field.name, describeProblem(field)])))
        if (wrongFields[0]) wrongFields[0].focus()
        else if (!busy) onSubmit(new FormData(form), form)
      }}
    >
      {errorCode === undefined && message}
      {errorCode !== undefined && (
        <TransientMessage key={result?.count} kind="bad" text={describeAuthError(errorCode, advice, result?.error?.message)} />
      )}
      <FieldProblems value={problemByField}>{children}</FieldProblems>
      <Button type="submit" variant={isDestructive ? 'secondary' : 'primary'} size="big" busy={busy}>
        {errorCode === 'network-request-failed' || errorCode === 'offline' ? 'Retry' : submitLabel}
      </Button>
    </form>
  )
}
