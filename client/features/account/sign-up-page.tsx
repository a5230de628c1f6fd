import { useEffect, useState } from 'react'
import { useAttempt, usePasswordAdvice } from '../../bindings/account.ts'
import { useIdentity } from '../../bindings/identity.ts'
import { Field } from '../../ui/field.tsx'
import { AuthForm, textOf } from './auth-form.tsx'
import { AuthLink } from './auth-link.tsx'
import { AuthPage } from './auth-page.tsx'
import { NewPasswordField } from './new-password-field.tsx'

/** `onDone` is told the address that the account is of. */
export function SignUpPage({ onDone }: { onDone: (email: string) => void }) {
  const identity = useIdentity()
  const signUp = useAttempt(async (email: string, password: string) => (await identity.open()).signUp(email, password))
  const [password, setPassword] = useState('')
  const advice = usePasswordAdvice(password, signUp)
  useEffect(() => identity.prepare(), [identity])
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
    </AuthPage>
  )
}
