import { useEffect, useRef, useState } from 'react'
import { useUnplugged } from '../../bindings/offline.ts'
import { useSite } from '../../bindings/services.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Icon } from '../../ui/icon.tsx'
import { Key } from '../../ui/key.tsx'
import typeStyles from '../../ui/type.module.css'
import styles from './community.module.css'

/** What the community is, and its Discord server: the widget where there is one, else a link. */
export function Community() {
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
              <JoinKey url={settings.SOCIAL_DISCORD} />
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
                <JoinKey url={settings.SOCIAL_DISCORD} />
              </div>
            )}
          </div>
        )}
      </div>
    </section>
  )
}

function JoinKey({ url }: { url: string }) {
  return (
    <Key icon="discord" to={url} newTab>
      Join Discord
    </Key>
  )
}

/** Asks Discord for nothing before it is scrolled into view. */
function DiscordWidget({ id }: { id: string }) {
  const frame = useRef<HTMLDivElement>(null)
  const [seen, setSeen] = useState(false)
  const unplugged = useUnplugged()
  useEffect(() => {
    if (!frame.current || seen) return
    const observer = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && setSeen(true))
    observer.observe(frame.current)
    return () => observer.disconnect()
  }, [seen])
  return (
    <div ref={frame} className={styles.widget}>
      {seen && unplugged && (
        <p className={classNames(typeStyles.muted, styles.away)}>
          <Icon name="offline" size="s" />
          Needs a connection
        </p>
      )}
      {seen && !unplugged && (
        <iframe
          className={styles.frame}
          src={`https://discord.com/widget?id=${encodeURIComponent(id)}&theme=dark`}
          title="Discord community"
          sandbox="allow-popups allow-popups-to-escape-sandbox allow-same-origin allow-scripts"
        />
      )}
    </div>
  )
}
