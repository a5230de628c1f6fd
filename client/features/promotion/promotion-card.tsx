import type { ReactNode } from 'react'
import type { PromotionSite } from '../../../contract/promotion.ts'
import type { PromotionLinks } from '../../../contract/promotion-rules.ts'
import { parseVideoId } from '../../../contract/youtube.ts'
import { createWebsiteUrl } from '../../hooks/paths.ts'
import { useSite } from '../../hooks/services.tsx'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Cover } from '../../ui/cover.tsx'
import { SpinningRecord } from '../../ui/spinning-record.tsx'
import typeStyles from '../../ui/type.module.css'
import styles from './promotion-card.module.css'

interface PromotionCardProps {
  promotion: PromotionLinks & Partial<PromotionSite>
  /** The HTML element of the card's label. On the home page it is a heading. */
  label: ReactNode
  /** Whether the promotion is saved on the server, which then has a picture of the promotion's video. */
  areLinksSaved?: boolean
}

/**
 * The promotion of a channel. If the owner has a website, the card shows the website's picture and name; otherwise the promoted video and
 * the name in the channel's address.
 */
export function PromotionCard({ promotion, label, areLinksSaved: isSaved = true }: PromotionCardProps) {
  const { main_url } = useSite()
  const { youtube_channel, youtube_share, site_name, domain_name, profile_pic } = promotion
  const videoId = parseVideoId(youtube_share)
  return (
    <div className={styles.line}>
      {profile_pic !== undefined ? (
        <Cover src={profile_pic} ratio="square" width={96} alt="" className={styles.portrait} />
      ) : videoId !== undefined && isSaved ? (
        <Cover src={`/img/song/${videoId}`} ratio="wide" width={160} alt="" className={styles.video} />
      ) : (
        <SpinningRecord seed={youtube_channel} className={styles.platter} />
      )}
      <div className={styles.words}>
        {label}
        <p className={classNames(typeStyles.head, typeStyles.d2, styles.name)} dir="auto">
          {site_name ?? findChannelName(youtube_channel) ?? 'On YouTube'}
        </p>
        {domain_name !== undefined && (
          <a className={typeStyles.link} href={createWebsiteUrl(main_url, domain_name)} target="_blank" rel="noopener noreferrer">
            {new URL(createWebsiteUrl(main_url, domain_name)).host}
          </a>
        )}
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
  )
}

/** Returns the name of a channel from the URL of its page, such as `@aria`; `undefined` if the URL has only an id. */
function findChannelName(url: string): string | undefined {
  const [, channelName] = /^https?:\/\/[^/]+\/(?:c\/|user\/)?([^/?#]+)/i.exec(url) ?? []
  const isChannelName = channelName !== undefined && (channelName.startsWith('@') || /\/(?:c|user)\//i.test(url))
  if (!isChannelName) return undefined
  try {
    return decodeURIComponent(channelName)
  } catch {
    return channelName
  }
}
