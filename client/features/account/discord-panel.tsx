import type { DiscordLinkOutcome } from '../../../contract/account.ts'
import { TransientMessage } from '../../components/transient-message.tsx'
import { describeCallError, useAccountAction, useAccountInfo } from '../../hooks/account-data.ts'
import type { SignedInAccount } from '../../hooks/identity.ts'
import { useServices, useSite } from '../../hooks/services.tsx'
import { Button } from '../../ui/button.tsx'
import { SectionHeading } from '../../ui/section-heading.tsx'
import typeStyles from '../../ui/type.module.css'
import styles from './dashboard-page.module.css'

const outcomeTexts: Record<DiscordLinkOutcome, string> = {
  linked: 'Your Discord account is linked.',
  denied: 'Discord was not linked: you declined.',
  expired: 'This link has expired or was already used. Link Discord again.',
  browser: 'Finish in the browser you started in. Link Discord again.',
  taken: 'That Discord account is linked to another account here.',
  refused: 'Discord did not accept this. Try again.',
  unavailable: "Discord isn't responding right now. Try again in a moment.",
}

const isLinkOutcome = (text: string): text is DiscordLinkOutcome => Object.hasOwn(outcomeTexts, text)

/** Result of linking Discord, from the URL of the redirect. Renders nothing for an unknown value. */
export function DiscordLinkMessage({ outcome }: { outcome: string | undefined }) {
  if (outcome === undefined || !isLinkOutcome(outcome)) return null
  return <TransientMessage kind={outcome === 'linked' ? 'good' : 'bad'} text={outcomeTexts[outcome]} />
}

/** The linked Discord account, with a button to link or disconnect it. */
export function DiscordPanel({ person }: { person: SignedInAccount }) {
  const { data, status, error, retry } = useAccountInfo(person.uid)
  const { accounts } = useServices()
  const { discord_link: isDiscordAvailable = false } = useSite()
  const changeLink = useAccountAction(async (api, requestedAction: 'link' | 'unlink') => {
    if (requestedAction === 'link') {
      // An absolute URL, because Discord redirects back to the main host, where a person who logged in at the `www.` host is not logged in.
      const { authorize_url } = await api.call('POST /account/discord_link', { return_url: `${location.origin}/account` })
      return location.assign(authorize_url)
    }
    await api.call('POST /account/disconnect_discord', {})
    await accounts.info(person.uid).refresh({ force: true })
  })
  const isDiscordLinked = data !== undefined && data.discord_id !== ''
  return (
    <section className={styles.section} aria-labelledby="discord-heading">
      <SectionHeading id="discord-heading" size="small">
        Discord
      </SectionHeading>
      {!changeLink.busy && changeLink.result?.error && (
        <TransientMessage
          key={changeLink.result.count}
          kind="bad"
          text={describeCallError(changeLink.result.error)}
          onHide={changeLink.clear}
        />
      )}
      <div className={styles.card}>
        <div className={styles.row}>
          <div>
            {isDiscordLinked ? (
              <>
                <strong>{data.discord}</strong>
                <span className={typeStyles.muted}>Linked to your account.</span>
              </>
            ) : (
              <>
                <strong>{status === 'loading' ? 'Loading...' : status === 'error' ? 'Unknown right now' : 'Not linked'}</strong>
                <span className={typeStyles.muted}>
                  {status === 'error' && error
                    ? 'This needs a connection.'
                    : isDiscordAvailable
                      ? 'Let our Discord know who you are.'
                      : 'Not available here yet.'}
                </span>
              </>
            )}
          </div>
          {isDiscordLinked ? (
            <Button variant="tertiary" busy={changeLink.busy} onClick={() => void changeLink.run('unlink')}>
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
              busy={changeLink.busy}
              disabled={!isDiscordAvailable || status === 'loading'}
              onClick={() => void changeLink.run('link')}
            >
              Link Discord
            </Button>
          )}
        </div>
      </div>
    </section>
  )
}
