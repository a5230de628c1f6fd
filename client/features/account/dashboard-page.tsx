import type { ReactNode } from 'react'
import { AccountPage } from '../../components/account-page.tsx'
import { TransientMessage } from '../../components/transient-message.tsx'
import { useAccountInfo } from '../../hooks/account-data.ts'
import { type SignedInAccount, useIdentity } from '../../hooks/identity.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/states.tsx'
import typeStyles from '../../ui/type.module.css'
import { AccountDataPanel } from './account-data-panel.tsx'
import { describeAuthError } from './auth-messages.ts'
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
  const { result } = sendAttempt
  return (
    <>
      <Notice>
        <div className={styles.unverified}>
          <span>Your email is not confirmed yet.</span>
          <Button variant="tertiary" busy={sendAttempt.busy} onClick={() => void sendAttempt.run()}>
            Send me a link
          </Button>
        </div>
      </Notice>
      {result && (
        <TransientMessage
          key={result.count}
          kind={result.error ? 'bad' : 'good'}
          text={
            result.error
              ? describeAuthError(result.error.code, undefined, result.error.message)
              : `We've sent a link to ${person.email}. It works for a short time.`
          }
        />
      )}
    </>
  )
}
