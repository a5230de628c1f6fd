import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { SpinningRecord } from '../../ui/platter.tsx'
import typeStyles from '../../ui/type.module.css'
import styles from './todays-promotion.module.css'
import { useTodaysPromotion } from './use-todays-promotion.ts'

/** The section of the home page with the promotion of the day. Renders nothing if there is no promotion. */
export function TodaysPromotion() {
  const promotion = useTodaysPromotion()
  if (promotion === null) return null
  const { youtube_channel, youtube_share } = promotion
  return (
    <section className={styles.section} aria-labelledby="promotion-heading">
      <div className={classNames(typeStyles.wrap, styles.line)}>
        <SpinningRecord seed={youtube_channel} className={styles.platter} />
        <div className={styles.words}>
          <h2 id="promotion-heading" className={typeStyles.muted}>
            Channel of the day
          </h2>
          <p className={classNames(typeStyles.head, typeStyles.d2, styles.name)}>{channelNameOf(youtube_channel) ?? 'On YouTube'}</p>
        </div>
        <div className={styles.buttons}>
          <Button to={youtube_share} newTab icon="play" variant="primary">
            Watch the video
          </Button>
          <Button to={youtube_channel} newTab>
            Visit channel
          </Button>
        </div>
      </div>
    </section>
  )
}

/** Returns the name of a channel from the address of its page, such as `@aria`; `undefined` if the address has only an id. */
function channelNameOf(url: string): string | undefined {
  const [, name] = /^https?:\/\/[^/]+\/(?:c\/|user\/)?([^/?#]+)/i.exec(url) ?? []
  const isName = name !== undefined && (name.startsWith('@') || /\/(?:c|user)\//i.test(url))
  if (!isName) return undefined
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
