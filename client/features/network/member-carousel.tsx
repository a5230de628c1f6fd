import { useState } from 'react'
import type { Member } from '../../../contract/community.ts'
import { Carousel } from '../../ui/carousel.tsx'
import { classNames } from '../../ui/class-names.ts'
import typeStyles from '../../ui/type.module.css'
import styles from './member-carousel.module.css'
import { MemberTile } from './member-tile.tsx'

/**
 * The initial number of members in the carousel, and the number of members added whenever its end comes into view. This number fills a wide
 * screen four times.
 */
const SLIDES_PER_STEP = 48
const AUTOPLAY_INTERVAL_MS = 2000

interface MemberCarouselProps {
  members: readonly Member[]
  /** Whether the automatic scrolling is paused. */
  isPaused: boolean
  onOpen: (channelId: string) => void
}

/** The channels of the network in a row, the largest first, up to twelve at a time. */
export function MemberCarousel({ members, isPaused, onOpen }: MemberCarouselProps) {
  const [shownMemberCount, setShownMemberCount] = useState(SLIDES_PER_STEP)
  const shownMembers = members.slice(0, shownMemberCount)
  const headingElement = (
    <div className={styles.heading}>
      <h2 className={classNames(typeStyles.head, typeStyles.d2)}>Members</h2>
      <a className={typeStyles.link} href="/members">
        All members
      </a>
    </div>
  )
  return (
    <Carousel
      label="Members"
      heading={headingElement}
      autoplayMs={AUTOPLAY_INTERVAL_MS}
      isScrollingPaused={isPaused}
      className={styles.carousel}
      slideCount={shownMembers.length}
      total={members.length}
      onNearEnd={shownMemberCount < members.length ? () => setShownMemberCount(shownMemberCount + SLIDES_PER_STEP) : undefined}
    >
      {shownMembers.map((member, index) => (
        <MemberTile key={member.channel_id} member={member} index={index} memberCount={members.length} onOpen={onOpen} />
      ))}
    </Carousel>
  )
}
