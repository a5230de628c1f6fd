import { useSite } from '../../hooks/services.tsx'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { lazyWithRetry } from '../../ui/lazy-with-retry.tsx'
import typeStyles from '../../ui/type.module.css'
import styles from './community-section.module.css'

const DiscordWidget = lazyWithRetry(() => import('./discord-widget.tsx').then((module) => module.DiscordWidget), {
  fallback: () => <div className={styles.widget} />,
})

/** Community text and the Discord server: its widget if one is configured, otherwise a link. */
export function CommunitySection() {
  const { settings, texts } = useSite()
  const hasWidget = settings.DISCORD_WIDGET_ID !== ''
  if (settings.COMMUNITY_TEXT === '' && !hasWidget && settings.SOCIAL_DISCORD === '') return null
  return (
    <section className={styles.section}>
      <div className={classNames(typeStyles.wrap, styles.duo, !hasWidget && styles.single)}>
        <div>
          <h2 className={classNames(typeStyles.display, typeStyles.d3)}>{texts.community_title}</h2>
          {settings.COMMUNITY_TEXT !== '' && <p className={classNames(typeStyles.lead, styles.text)}>{settings.COMMUNITY_TEXT}</p>}
          {!hasWidget && settings.SOCIAL_DISCORD !== '' && (
            <div className={styles.join}>
              <JoinButton url={settings.SOCIAL_DISCORD} />
            </div>
          )}
        </div>
        {hasWidget && (
          <div className={styles.rack}>
            <h3 className={styles.rackHead}>Discord community</h3>
            <DiscordWidget id={settings.DISCORD_WIDGET_ID} />
            {settings.SOCIAL_DISCORD !== '' && (
              <div className={styles.rackFoot}>
                <span className={typeStyles.muted}>Open to everyone</span>
                <JoinButton url={settings.SOCIAL_DISCORD} />
              </div>
            )}
          </div>
        )}
      </div>
    </section>
  )
}

function JoinButton({ url }: { url: string }) {
  return (
    <Button icon="discord" to={url} newTab>
      Join Discord
    </Button>
  )
}
