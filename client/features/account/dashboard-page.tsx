import { type ReactNode, useState } from 'react'
import { AccountPage } from '../../components/account-page.tsx'
import { useAccountInfo } from '../../hooks/account-data.ts'
import { type SignedInAccount, useIdentity } from '../../hooks/identity.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/states.tsx'
import typeStyles from '../../ui/type.module.css'
import { AccountDataPanel } from './account-data-panel.tsx'
import { authErrorMessage } from './auth-messages.ts'
import styles from './dashboard-page.module.css'
import { DiscordLinkMessage, DiscordPanel } from './discord-panel.tsx'
import { LoginsPanel } from './logins-panel.tsx'
import { PlanPanel, roleNames } from './plan-panel.tsx'
import { useAuthAction } from './use-account.ts'
import { useAccountSnapshot } from './use-account-snapshot.ts'

interface DashboardPageProps {
  /** Result of linking Discord, passed in the URL when Discord redirects back. */
  discordOutcome: string | undefined
  onDeleted: () => void
  outboxNotice: ReactNode
  favorites: ReactNode
}

export function DashboardPage({ discordOutcome, onDeleted, outboxNotice, favorites }: DashboardPageProps) {
  useAccountSnapshot()
  return (
    <AccountPage title="Dashboard">
      {(person) => (
        <>
          <Welcome person={person} />
          <DiscordLinkMessage outcome={discordOutcome} />
          {!person.emailVerified && <EmailUnverified person={person} />}
          {outboxNotice}
          <PlanPanel person={person} />
          {favorites}
          <DiscordPanel person={person} />
          <LoginsPanel />
          <AccountDataPanel person={person} onDeleted={onDeleted} />
        </>
      )}
    </AccountPage>
  )
}

function Welcome({ person }: { person: SignedInAccount }) {
  const { data } = useAccountInfo(person.uid)
  return (
    <div className={styles.welcome}>
      <p className={typeStyles.lead}>
        Welcome back, <span className={styles.email}>{person.email}</span>
      </p>
      {data?.roles.map((role) => (
        <Badge key={role} kind="special" size="m">
          {roleNames[role]}
        </Badge>
      ))}
    </div>
  )
}

/** Notice that the email address is not verified, with a button that sends a verification link. */
function EmailUnverified({ person }: { person: SignedInAccount }) {
  const identity = useIdentity()
  const sendAttempt = useAuthAction(async () => (await identity.open()).sendVerification())
  const [isSent, setIsSent] = useState(false)
  const error = sendAttempt.result?.error
  const errorCode = error?.code
  if (isSent && errorCode === undefined) return <Notice kind="good">We've sent a link to {person.email}. It works for a short time.</Notice>
  return (
    <Notice {...(errorCode === undefined ? {} : { kind: 'bad' })}>
      <div className={styles.unverified}>
        <span>{errorCode === undefined ? 'Your email is not confirmed yet.' : authErrorMessage(errorCode, undefined, error?.message)}</span>
        <Button
          variant="tertiary"
          busy={sendAttempt.busy}
          onClick={async () => {
            if (await sendAttempt.run()) setIsSent(true)
          }}
        >
          Send me a link
        </Button>
      </div>
    </Notice>
  )
}
