import { useState } from 'react'
import { useAccountInfo } from '../../bindings/account.ts'
import { type DiscordOutcome, useDiscordLink } from '../../bindings/discord.ts'
import type { Person } from '../../bindings/identity.ts'
import { Key } from '../../ui/key.tsx'
import { SectionHeading } from '../../ui/section-heading.tsx'
import { Notice } from '../../ui/states.tsx'
import typeStyles from '../../ui/type.module.css'
import styles from './dashboard-page.module.css'

const outcomes: Record<DiscordOutcome, string> = {
  linked: 'Your Discord account is linked.',
  denied: 'Discord was not linked: you said no there.',
  expired: 'That took too long, or was done already. Link Discord once more.',
  browser: 'Finish in the browser that you began with. Link Discord once more.',
  taken: 'That Discord account is linked to another account here.',
  refused: 'Discord did not accept this. Try again.',
  unavailable: 'Discord does not answer right now. Try again in a moment.',
}

const isOutcome = (text: string): text is DiscordOutcome => Object.hasOwn(outcomes, text)

/** How linking ended, as the way back from Discord says; nothing for any other text. */
export function DiscordMessage({ outcome }: { outcome: string | undefined }) {
  if (outcome === undefined || !isOutcome(outcome)) return null
  return <Notice kind={outcome === 'linked' ? 'good' : 'bad'}>{outcomes[outcome]}</Notice>
}

/** The Discord account that belongs to this one. */
export function DiscordPanel({ person }: { person: Person }) {
  const { data, status, error, retry } = useAccountInfo(person.uid)
  const discord = useDiscordLink(person.uid)
  const [doing, setDoing] = useState<'nothing' | 'something' | 'failed'>('nothing')
  const linked = data !== undefined && data.discord_id !== ''

  const act = async (work: () => Promise<void>) => {
    setDoing('something')
    try {
      await work()
      setDoing('nothing')
    } catch {
      setDoing('failed')
    }
  }
  return (
    <section className={styles.section} aria-labelledby="discord-heading">
      <SectionHeading id="discord-heading">Discord</SectionHeading>
      {doing === 'failed' && <Notice kind="bad">This could not be done. Check your connection and try again.</Notice>}
      <div>
        <div className={styles.row}>
          <div>
            {linked ? (
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
                    : discord.possible
                      ? 'Let our Discord know who you are.'
                      : 'Not available here yet.'}
                </span>
              </>
            )}
          </div>
          {linked ? (
            <Key variant="flat" busy={doing === 'something'} onClick={() => void act(discord.end)}>
              Disconnect
            </Key>
          ) : status === 'error' ? (
            <Key icon="loop" onClick={retry}>
              Retry
            </Key>
          ) : (
            <Key
              icon="discord"
              busy={doing === 'something'}
              disabled={!discord.possible || status === 'loading'}
              onClick={() => void act(discord.begin)}
            >
              Link Discord
            </Key>
          )}
        </div>
      </div>
    </section>
  )
}
