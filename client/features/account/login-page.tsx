import { type ReactNode, useEffect, useState } from 'react'
import { useIdentity, useSignedInAccount } from '../../hooks/identity.ts'
import { readFieldText } from '../../primitives/field-text.ts'
import { Field, PasswordField } from '../../ui/field.tsx'
import typeStyles from '../../ui/type.module.css'
import { AuthForm } from './auth-form.tsx'
import styles from './auth-page.module.css'
import { AuthLink, AuthPage } from './auth-page.tsx'
import { SignedInPage } from './signed-in-page.tsx'
import { useAuthAction } from './use-account.ts'

interface LoginPageProps {
  /** The message that the previous page passed, for example why a login is needed. */
  message?: ReactNode
  /** The email address of a new account, which is filled into the form. */
  email?: string | undefined
  /** Navigates to the return path, or to the home page. */
  onDone: () => void
  onSignOut: () => void
}

export function LoginPage({ message, email: initialEmail, onDone, onSignOut }: LoginPageProps) {
  const identity = useIdentity()
  const person = useSignedInAccount()
  const loginAttempt = useAuthAction(async (email: string, password: string) => (await identity.open()).logIn(email, password))
  /** Whether the form was submitted. A submitted form stays visible until the navigation after the login. */
  const [isSubmitted, setIsSubmitted] = useState(false)
  useEffect(() => identity.preloadSdk(), [identity])

  if (person && !isSubmitted) return <SignedInPage title="Log in" person={person} message={message} onSignOut={onSignOut} />
  return (
    <AuthPage
      title="Log in"
      introduction={
        <>
          New here? <AuthLink to="/signup">Sign up</AuthLink>
        </>
      }
    >
      <AuthForm
        attempt={loginAttempt}
        submitLabel="Log in"
        message={message}
        onSubmit={async (formData) => {
          setIsSubmitted(true)
          if (await loginAttempt.run(readFieldText(formData, 'email').trim(), readFieldText(formData, 'password'))) onDone()
          else setIsSubmitted(false)
        }}
      >
        <Field
          label="Email"
          name="email"
          type="email"
          autoComplete="username"
          required
          {...(initialEmail !== undefined && { defaultValue: initialEmail })}
        />
        <PasswordField
          label="Password"
          name="password"
          autoComplete="current-password"
          required
          labelAside={<AuthLink to="/forgot-password">Forgot password?</AuthLink>}
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
