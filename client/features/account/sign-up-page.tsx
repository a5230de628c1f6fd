import { useEffect, useState } from 'react'
import { useAttempt, usePasswordAdvice } from '../../bindings/account.ts'
import { useIdentity, usePerson } from '../../bindings/identity.ts'
import { Field } from '../../ui/field.tsx'
import { AuthForm, textOf } from './auth-form.tsx'
import { AuthLink } from './auth-link.tsx'
import styles from './auth-page.module.css'
import { AuthPage } from './auth-page.tsx'
import { NewPasswordField } from './new-password-field.tsx'
import { SignedInPage } from './signed-in-page.tsx'

interface SignUpPageProps {
  /** Told the address that the account is of. */
  onDone: (email: string) => void
  onSignOut: () => void
}

export function SignUpPage({ onDone, onSignOut }: SignUpPageProps) {
  const identity = useIdentity()
  const person = usePerson()
  const signUp = useAttempt(async (email: string, password: string) => (await identity.open()).signUp(email, password))
  const [password, setPassword] = useState('')
  const advice = usePasswordAdvice(password, signUp)
  useEffect(() => identity.prepare(), [identity])
  if (person) return <SignedInPage title="Sign up" person={person} onSignOut={onSignOut} />
  return (
    <AuthPage
      title="Sign up"
      lead={
        <>
          Keep your favorite songs, on every device. Have an account? <AuthLink to="/login">Log in</AuthLink>
        </>
      }
    >
      <AuthForm
        attempt={signUp}
        action="Sign up"
        advice={advice}
        onSubmit={async (fields) => {
          const email = textOf(fields, 'email').trim()
          if (await signUp.run(email, textOf(fields, 'password'))) onDone(email)
        }}
      >
        <Field label="Email" name="email" type="email" autoComplete="username" required />
        <NewPasswordField label="Password" name="password" required advice={advice} onPassword={setPassword} />
      </AuthForm>
      {signUp.failure?.code === 'email-already-in-use' && (
        <p className={styles.keys}>
          <AuthLink to="/login">Log in</AuthLink>
          <AuthLink to="/forgot-password">Forgot password?</AuthLink>
        </p>
      )}
    </AuthPage>
  )
}
