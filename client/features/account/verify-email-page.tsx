import { useEffect } from 'react'
import { useAttempt, useConfirmEmail } from '../../bindings/account.ts'
import { useIdentity, useSignedInAccount } from '../../bindings/identity.ts'
import { useOpenLogin } from '../../bindings/login-navigation.ts'
import { useSite } from '../../bindings/services.tsx'
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
  const openLogin = useOpenLogin()
  const { firebase } = useSite()
  const verifyAttempt = useAttempt(useConfirmEmail())
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
  // Whoever signs up with an address that is not theirs must not get it confirmed by its owner's press.
  if (!person && !firebase) {
    return (
      <AuthPage title="Confirm your email" introduction="Log in to the account, so that only its owner can confirm the address.">
        <Button variant="primary" size="big" onClick={() => openLogin('/login', undefined)}>
          Log in
        </Button>
        <Notice>This is not your account? Reset its password: then it is yours, and nobody else is logged in to it.</Notice>
        <Button to="/forgot-password" variant="tertiary" size="big">
          Set my own password
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
          if (await verifyAttempt.run(code)) onDone()
        }}
      >
        {null}
      </AuthForm>
    </AuthPage>
  )
}
