import { useEffect } from 'react'
import { useAttempt } from '../../bindings/account.ts'
import { useIdentity, useSignedInAccount } from '../../bindings/identity.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/states.tsx'
import { AuthForm } from './auth-form.tsx'
import { AuthPage } from './auth-page.tsx'

interface VerifyEmailPageProps {
  /** The one-time code in the link of the verification email. */
  code: string
  onDone: () => void
}

/** Verifies the email address on a click, so that a link scanner that only opens the page verifies nothing. */
export function VerifyEmailPage({ code, onDone }: VerifyEmailPageProps) {
  const identity = useIdentity()
  const person = useSignedInAccount()
  const verifyAttempt = useAttempt(async () => (await identity.open()).verifyEmail(code))
  useEffect(() => identity.prepare(), [identity])
  if (person?.emailVerified) {
    return (
      <AuthPage title="Confirm your email">
        <Notice kind="good">The address {person.email} is confirmed.</Notice>
        <Button to="/account" variant="primary" size="big">
          Go to your account
        </Button>
      </AuthPage>
    )
  }
  return (
    <AuthPage title="Confirm your email" introduction="One press, and we know that the address of your account is yours.">
      <AuthForm
        attempt={verifyAttempt}
        submitLabel="Confirm"
        onSubmit={async () => {
          if (await verifyAttempt.run()) onDone()
        }}
      >
        {null}
      </AuthForm>
    </AuthPage>
  )
}
