import { useEffect } from 'react'
import { useAttempt } from '../../bindings/account.ts'
import { useIdentity, usePerson } from '../../bindings/identity.ts'
import { Key } from '../../ui/key.tsx'
import { Notice } from '../../ui/states.tsx'
import { AuthForm } from './auth-form.tsx'
import { AuthPage } from './auth-page.tsx'

interface VerifyEmailPageProps {
  /** What the link in the mail carried. */
  code: string
  onDone: () => void
}

/** Confirms an address at a press, so that a program that only opens links confirms nothing. */
export function VerifyEmailPage({ code, onDone }: VerifyEmailPageProps) {
  const identity = useIdentity()
  const person = usePerson()
  const verify = useAttempt(async () => (await identity.open()).verifyEmail(code))
  useEffect(() => identity.prepare(), [identity])
  if (person?.emailVerified) {
    return (
      <AuthPage title="Confirm your email">
        <Notice kind="good">The address {person.email} is confirmed.</Notice>
        <Key to="/account" variant="lit" size="big">
          Go to your account
        </Key>
      </AuthPage>
    )
  }
  return (
    <AuthPage title="Confirm your email" lead="One press, and we know that the address of your account is yours.">
      <AuthForm
        attempt={verify}
        action="Confirm"
        onSubmit={async () => {
          if (await verify.run()) onDone()
        }}
      >
        {null}
      </AuthForm>
    </AuthPage>
  )
}
