import { useState } from 'react'
import { useAccountInfo } from '../../hooks/account-info.ts'
import type { SignedInAccount } from '../../hooks/identity.ts'
import { Button } from '../../ui/button.tsx'
import { SectionHeading } from '../../ui/section-heading.tsx'
import { Notice } from '../../ui/states.tsx'
import typeStyles from '../../ui/type.module.css'
import styles from './dashboard-page.module.css'
import { type DiscordOutcome, useDiscordLink } from './use-discord.ts'

const outcomeTexts: Record<DiscordOutcome, string> = {
  linked: 'Your Discord account is linked.',
  denied: 'Discord was not linked: you said no there.',
  expired: 'That took too long, or was done already. Link Discord once more.',
  browser: 'Finish in the browser that you began with. Link Discord once more.',
  taken: 'That Discord account is linked to another account here.',
  refused: 'Discord did not accept this. Try again.',
  unavailable: 'Discord does not answer right now. Try again in a moment.',
}

const isOutcome = (text: string): text is DiscordOutcome => Object.hasOwn(outcomeTexts, text)

/** Result of linking Discord, from the URL of the redirect. Renders nothing for an unknown value. */
export function DiscordMessage({ outcome }: { outcome: string | undefined }) {
  if (outcome === undefined || !isOutcome(outcome)) return null
  return <Notice kind={outcome === 'linked' ? 'good' : 'bad'}>{outcomeTexts[outcome]}</Notice>
}

/** The linked Discord account, with a button to link or disconnect it. */
export function DiscordPanel({ person }: { person: SignedInAccount }) {
  const { data, status, error, retry } = useAccountInfo(person.uid)
  const discord = useDiscordLink(person.uid)
  const [requestStatus, setRequestStatus] = useState<'idle' | 'running' | 'failed'>('idle')
  const isLinked = data !== undefined && data.discord_id !== ''

  const runRequest = async (sendRequest: () => Promise<void>) => {
    setRequestStatus('running')
    try {
      await sendRequest()
      setRequestStatus('idle')
    } catch {
      setRequestStatus('failed')
    }
  }
  return (
    <section className={styles.section} aria-labelledby="discord-heading">
      <SectionHeading id="discord-heading" size="small">
        Discord
      </SectionHeading>
      {requestStatus === 'failed' && <Notice kind="bad">This could not be done. Check your connection and try again.</Notice>}
      <div className={styles.card}>
        <div className={styles.row}>
          <div>
            {isLinked ? (
              <>
                <strong>{data.discord}</strong>
                <span className={typeStyles.muted}>Linked with your account here.</span>
              </>
            ) : (
              <>
                <strong>{status === 'loading' ? 'Loading...' : status === 'error' ? 'Not known right now' : 'Not linked'}</strong>
                <span className={typeStyles.muted}>
                  {status === 'error' && error
                    ? 'This needs a connection.'
                    : discord.isAvailable
                      ? 'Let our Discord know who you are.'
                      : 'Not available here yet.'}
                </span>
              </>
            )}
          </div>
          {isLinked ? (
            <Button variant="tertiary" busy={requestStatus === 'running'} onClick={() => void runRequest(discord.unlink)}>
              Disconnect
            </Button>
          ) : status === 'error' ? (
            <Button icon="loop" onClick={retry}>
              Retry
            </Button>
          ) : (
            <Button
              icon="discord"
              variant="tertiary"
              busy={requestStatus === 'running'}
              disabled={!discord.isAvailable || status === 'loading'}
              onClick={() => void runRequest(discord.link)}
            >
              Link Discord
            </Button>
          )}
        </div>
      </div>
    </section>
  )
}
