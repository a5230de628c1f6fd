import { useEffect, useState } from 'react'
import { useIdentity, useSignedInAccount } from '../../hooks/identity.ts'
import { readFieldText } from '../../primitives/field-text.ts'
import { Field } from '../../ui/field.tsx'
import { AuthForm } from './auth-form.tsx'
import styles from './auth-page.module.css'
import { AuthLink, AuthPage } from './auth-page.tsx'
import { NewPasswordField } from './new-password-field.tsx'
import { SignedInPage } from './signed-in-page.tsx'
import { useAuthAction, usePasswordPolicyCheck } from './use-account.ts'

interface SignUpPageProps {
  /** Called with the email address of the new account. */
  onDone: (email: string) => void
  onSignOut: () => void
}

export function SignUpPage({ onDone, onSignOut }: SignUpPageProps) {
  const identity = useIdentity()
  const person = useSignedInAccount()
  const signUpAttempt = useAuthAction(async (email: string, password: string) => (await identity.open()).signUp(email, password))
  const [password, setPassword] = useState('')
  const passwordAdvice = usePasswordPolicyCheck(password, signUpAttempt)
  useEffect(() => identity.preloadSdk(), [identity])
  if (person) return <SignedInPage title="Sign up" person={person} onSignOut={onSignOut} />
  return (
    <AuthPage
      title="Sign up"
      introduction={
        <>
          Keep your favorite songs, on every device. Have an account? <AuthLink to="/login">Log in</AuthLink>
        </>
      }
    >
      <AuthForm
        attempt={signUpAttempt}
        submitLabel="Sign up"
        advice={passwordAdvice}
        onSubmit={async (formData) => {
          const email = readFieldText(formData, 'email').trim()
          if (await signUpAttempt.run(email, readFieldText(formData, 'password'))) onDone(email)
        }}
      >
        <Field label="Email" name="email" type="email" autoComplete="username" required />
        <NewPasswordField label="Password" name="password" required advice={passwordAdvice} onPassword={setPassword} />
      </AuthForm>
      {signUpAttempt.result?.error?.code === 'email-already-in-use' && (
        <p className={styles.buttons}>
          <AuthLink to="/login">Log in</AuthLink>
          <AuthLink to="/forgot-password">Forgot password?</AuthLink>
        </p>
      )}
    </AuthPage>
  )
}
