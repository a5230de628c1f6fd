import { type ReactNode, useEffect, useState } from 'react'
import { useAttempt } from '../../bindings/account.ts'
import { useIdentity, usePerson } from '../../bindings/identity.ts'
import { Field, PasswordField } from '../../ui/field.tsx'
import typeStyles from '../../ui/type.module.css'
import { AuthForm, textOf } from './auth-form.tsx'
import { AuthLink } from './auth-link.tsx'
import styles from './auth-page.module.css'
import { AuthPage } from './auth-page.tsx'
import { SignedInPage } from './signed-in-page.tsx'

interface LogInPageProps {
  /** What another page left to be said. */
  message?: ReactNode
  /** The address of who has just signed up. */
  email?: string | undefined
  /** Goes where the person was going, or home. */
  onDone: () => void
  onSignOut: () => void
}

export function LogInPage({ message, email, onDone, onSignOut }: LogInPageProps) {
  const identity = useIdentity()
  const person = usePerson()
  const logIn = useAttempt(async (given: string, password: string) => (await identity.open()).logIn(given, password))
  /** While a log-in leads on to the next page, the form stays what it is. */
  const [sent, setSent] = useState(false)
  useEffect(() => identity.prepare(), [identity])

  if (person && !sent) return <SignedInPage title="Log in" person={person} message={message} onSignOut={onSignOut} />
  return (
    <AuthPage
      title="Log in"
      lead={
        <>
          New here? <AuthLink to="/signup">Sign up</AuthLink>
        </>
      }
    >
      <AuthForm
        attempt={logIn}
        action="Log in"
        message={message}
        onSubmit={async (fields) => {
          setSent(true)
          if (await logIn.run(textOf(fields, 'email').trim(), textOf(fields, 'password'))) onDone()
          else setSent(false)
        }}
      >
        <Field
          label="Email"
          name="email"
          type="email"
          autoComplete="username"
          required
          {...(email !== undefined && { defaultValue: email })}
        />
        <PasswordField
          label="Password"
          name="password"
          autoComplete="current-password"
          required
          aside={<AuthLink to="/forgot-password">Forgot password?</AuthLink>}
        />
      </AuthForm>
      <p className={styles.after}>
        <span>
          Want the maker and your own site?{' '}
          <a className={typeStyles.link} href="/subscribe">
            See subscriptions
          </a>
        </span>
      </p>
    </AuthPage>
  )
}
