import { useEffect, useRef, useState } from 'react'
import { useDeviceOffline } from '../../hooks/offline.ts'
import { classNames } from '../../ui/class-names.ts'
import { Icon } from '../../ui/icon.tsx'
import typeStyles from '../../ui/type.module.css'
import styles from './community-section.module.css'

/** The time in milliseconds after which Discord counts as unreachable. */
const DISCORD_TIMEOUT_MS = 8_000

/**
 * The Discord widget in an iframe that is created when it is scrolled into view. The widget is requested first, because a page does not learn that an iframe
 * failed to load.
 */
export function DiscordWidget({ id }: { id: string }) {
  const container = useRef<HTMLDivElement>(null)
  const [widgetState, setState] = useState<'hidden' | 'requested' | 'shown' | 'unreachable'>('hidden')
  const isDeviceOffline = useDeviceOffline()
  const url = `https://discord.com/widget?id=${encodeURIComponent(id)}&theme=dark`
  useEffect(() => {
    if (!container.current || widgetState !== 'hidden') return
    const observer = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && setState('requested'))
    observer.observe(container.current)
    return () => observer.disconnect()
  }, [widgetState])
  useEffect(() => {
    if (widgetState !== 'requested' || isDeviceOffline) return
    let isWidgetCurrent = true
    const request = fetch(url, { mode: 'no-cors', credentials: 'omit', signal: AbortSignal.timeout(DISCORD_TIMEOUT_MS) })
    request.then(
      () => isWidgetCurrent && setState('shown'),
      () => isWidgetCurrent && setState('unreachable'),
    )
    return () => {
      isWidgetCurrent = false
    }
  }, [widgetState, isDeviceOffline, url])
  return (
    <div ref={container} className={styles.widget}>
      {widgetState !== 'hidden' && isDeviceOffline && (
        <p className={classNames(typeStyles.muted, styles.offline)}>
          <Icon name="offline" size="s" />
          Needs a connection
        </p>
      )}
      {widgetState === 'unreachable' && !isDeviceOffline && (
        <div className={classNames(typeStyles.muted, styles.offline)}>
          Discord isn't responding right now.
          <button type="button" className={typeStyles.link} onClick={() => setState('requested')}>
            Retry
          </button>
        </div>
      )}
      {widgetState === 'shown' && !isDeviceOffline && (
        <iframe
          className={styles.frame}
          src={url}
          title="Discord community"
          sandbox="allow-popups allow-popups-to-escape-sandbox allow-same-origin allow-scripts"
        />
      )}
    </div>
  )
}
