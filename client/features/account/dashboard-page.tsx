import { type ReactNode, useState } from 'react'
import { useAccountInfo, useAttempt } from '../../bindings/account.ts'
import { type Person, useIdentity } from '../../bindings/identity.ts'
import { Badge } from '../../ui/badge.tsx'
import { Key } from '../../ui/key.tsx'
import { Notice } from '../../ui/states.tsx'
import typeStyles from '../../ui/type.module.css'
import { AccountPage } from './account-layout.tsx'
import { sentenceFor } from './auth-words.ts'
import styles from './dashboard-page.module.css'
import { DiscordMessage, DiscordPanel } from './discord-panel.tsx'
import { YourData } from './your-data.tsx'

interface DashboardPageProps {
  /** How linking Discord ended, where one comes from there. */
  discord: string | undefined
  onDeleted: () => void
  /** What waits to be sent, in a line. */
  unsent: ReactNode
  favorites: ReactNode
}

export function DashboardPage({ discord, onDeleted, unsent, favorites }: DashboardPageProps) {
  return (
    <AccountPage title="Dashboard">
      {(person) => (
        <>
          <Welcome person={person} />
          <DiscordMessage outcome={discord} />
          {!person.emailVerified && <Unconfirmed person={person} />}
          {unsent}
          {favorites}
          <DiscordPanel person={person} />
          <YourData person={person} onDeleted={onDeleted} />
        </>
      )}
    </AccountPage>
  )
}

const roleNames = { subscriber: 'Subscriber', donator: 'Donator' } as const

function Welcome({ person }: { person: Person }) {
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

/** An address that nobody has confirmed: the way to do so, which is nobody's duty. */
function Unconfirmed({ person }: { person: Person }) {
  const identity = useIdentity()
  const send = useAttempt(async () => (await identity.open()).sendVerification())
  const [sent, setSent] = useState(false)
  if (sent && !send.failure)
    return <Notice kind="good">A mail with a link is on its way to {person.email}. The link works for an hour.</Notice>
  return (
    <Notice {...(send.failure ? { kind: 'bad' } : {})}>
      <div className={styles.unconfirmed}>
        <span>{send.failure ? sentenceFor(send.failure.code) : 'Your email is not confirmed yet.'}</span>
        <Key
          variant="flat"
          busy={send.busy}
          onClick={async () => {
            if (await send.run()) setSent(true)
          }}
        >
          Send me a link
        </Key>
      </div>
    </Notice>
  )
}
