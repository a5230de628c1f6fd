import { formatChannelLabel } from '../../../contract/channel.ts'
import type { Member } from '../../../contract/community.ts'
import { Carousel } from '../../ui/carousel.tsx'
import { classNames } from '../../ui/class-names.ts'
import { ExpandableContent } from '../../ui/expandable-content.tsx'
import { formatPlural } from '../../ui/format.ts'
import typeStyles from '../../ui/type.module.css'
import { MemberPicture } from './member-picture.tsx'
import styles from './testimonials.module.css'

const SLIDES_MAX = 30
const AUTOPLAY_INTERVAL_MS = 5000
/**
 * The number of characters above which a testimonial is folded. A text of this length always fills more lines than the folded text shows.
 */
const FOLDED_TESTIMONIAL_LENGTH = 900

/** The testimonials of members, up to three at a time. */
export function Testimonials({ members }: { members: readonly Member[] }) {
  const shownMembers = members.slice(0, SLIDES_MAX)
  return (
    <Carousel
      label="What members say"
      heading={<h2 className={classNames(typeStyles.head, typeStyles.d2)}>What members say</h2>}
      autoplayMs={AUTOPLAY_INTERVAL_MS}
      className={styles.carousel}
      slideCount={shownMembers.length}
    >
      {shownMembers.map((member) => (
        <li key={member.channel_id} className={styles.slide}>
          <Testimonial member={member} />
        </li>
      ))}
    </Carousel>
  )
}

function Testimonial({ member }: { member: Member }) {
  const memberName = formatChannelLabel(member)
  const textElement = (
    <blockquote className={styles.words} dir="auto">
      {member.testimonial}
    </blockquote>
  )
  return (
    <figure className={styles.testimonial}>
      {member.testimonial.length > FOLDED_TESTIMONIAL_LENGTH ? (
        <ExpandableContent label={memberName}>{textElement}</ExpandableContent>
      ) : (
        textElement
      )}
      <figcaption className={styles.author}>
        <MemberPicture member={member} width={44} alt="" className={styles.picture} />
        <span className={styles.facts}>
          <b dir="auto">{memberName}</b>
          {member.subs > 0 && (
            <span className={classNames(typeStyles.mono, typeStyles.muted)}>{formatPlural(member.subs, 'subscriber')}</span>
          )}
        </span>
      </figcaption>
    </figure>
  )
}
