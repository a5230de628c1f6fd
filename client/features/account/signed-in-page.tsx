import type { ReactNode } from 'react'
import type { SignedInAccount } from '../../hooks/identity.ts'
import { useAuthNavigate, useReturnTo } from '../../hooks/login-navigation.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/states.tsx'
import styles from './auth-page.module.css'
import { AuthPage } from './auth-page.tsx'

interface SignedInPageProps {
  title: string
  person: SignedInAccount
  message?: ReactNode
  onSignOut: () => void
}

/** The content of the login and sign-up pages if an account is signed in already. */
export function SignedInPage({ title, person, message, onSignOut }: SignedInPageProps) {
  const navigateAuth = useAuthNavigate()
  const returnTo = useReturnTo()
  return (
    <AuthPage title={title}>
      {message}
      <Notice kind="good">You are logged in as {person.email}.</Notice>
      <div className={styles.buttons}>
        <Button variant="primary" size="big" onClick={() => navigateAuth(returnTo ?? '/account')}>
          Continue
        </Button>
        <Button variant="tertiary" size="big" icon="leave" onClick={onSignOut}>
          Sign out
        </Button>
      </div>
    </AuthPage>
  )
}
