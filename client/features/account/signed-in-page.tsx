import type { ReactNode } from 'react'
import type { Person } from '../../bindings/identity.ts'
import { useGoOn, useReturnTo } from '../../bindings/return-to.ts'
import { Key } from '../../ui/key.tsx'
import { Notice } from '../../ui/states.tsx'
import styles from './auth-page.module.css'
import { AuthPage } from './auth-page.tsx'

interface SignedInPageProps {
  title: string
  person: Person
  message?: ReactNode
  onSignOut: () => void
}

/** What the pages around logging in show to who is logged in already. */
export function SignedInPage({ title, person, message, onSignOut }: SignedInPageProps) {
  const goOn = useGoOn()
  const returnTo = useReturnTo()
  return (
    <AuthPage title={title}>
      {message}
      <Notice kind="good">You are logged in as {person.email}.</Notice>
      <div className={styles.keys}>
        <Key variant="lit" size="big" onClick={() => goOn(returnTo ?? '/account')}>
          Go on
        </Key>
        <Key variant="flat" size="big" icon="leave" onClick={onSignOut}>
          Sign out
        </Key>
      </div>
    </AuthPage>
  )
}
