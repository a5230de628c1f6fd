import { useEffect } from 'react'
import { useIdentity, useIsAccountKnown, useSignedInAccount } from '../../hooks/identity.ts'
import { useOpenLogin } from '../../hooks/login-navigation.ts'
import { useSite } from '../../hooks/services.tsx'
import { useSignOut } from '../../hooks/sign-out.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/states.tsx'
import { AuthForm } from './auth-form.tsx'
import styles from './auth-page.module.css'
import { AuthPage } from './auth-page.tsx'
import { useAuthAction, useConfirmEmail } from './use-account.ts'

interface VerifyEmailPageProps {
  /** The one-time code in the link of the verification email. */
  code: string
  onDone: () => void
}

/** Verifies the email address on a click, so that a link scanner that only opens the page verifies nothing. */
export function VerifyEmailPage({ code, onDone }: VerifyEmailPageProps) {
  const identity = useIdentity()
  const person = useSignedInAccount()
  const isAccountKnown = useIsAccountKnown()
  const openLogin = useOpenLogin()
  const { firebase } = useSite()
  const verifyAttempt = useAuthAction(useConfirmEmail())
  useEffect(() => identity.preloadSdk(), [identity])
  if (person?.emailVerified) {
    return (
      <AuthPage title="Confirm your email">
        <Notice kind="good">The address {person.email} is confirmed.</Notice>
        <Button to="/account" variant="primary" size="big">
          Go to your account
        </Button>
        <SignOutSuggestion />
      </AuthPage>
    )
  }
  if (!isAccountKnown && !firebase) {
    return (
      <AuthPage title="Confirm your email" isPending>
        <Notice>Checking your login...</Notice>
      </AuthPage>
    )
  }
  // A login is required. Otherwise the owner of an address could unknowingly confirm it for a stranger who signed up with this address.
  if (!person && !firebase) {
    return (
      <AuthPage title="Confirm your email" introduction="Log in to the account, so that only its owner can confirm the address.">
        <Button variant="primary" size="big" onClick={() => openLogin('/login', undefined)}>
          Log in
        </Button>
        <Notice>Not your account? Reset its password: that makes it yours and signs everyone else out.</Notice>
        <Button to="/forgot-password" variant="tertiary" size="big">
          Set my own password
        </Button>
      </AuthPage>
    )
  }
  return (
    <AuthPage
      title="Confirm your email"
      introduction={`Press Confirm to show that ${person?.email || 'the address of your account'} is yours.`}
    >
      <AuthForm
        attempt={verifyAttempt}
        submitLabel="Confirm"
        onSubmit={async () => {
          if (await verifyAttempt.run(code)) onDone()
        }}
      >
        {null}
      </AuthForm>
      {person && <SignOutSuggestion />}
    </AuthPage>
  )
}

/** The actions that are offered if the logged-in account is not the one that the link was sent to. */
function SignOutSuggestion() {
  const signOut = useSignOut()
  return (
    <>
      <p className={styles.after}>Was the link mailed to another address? Sign out, and open it again.</p>
      <Button variant="tertiary" size="big" icon="leave" onClick={signOut}>
        Sign out
      </Button>
    </>
  )
}
