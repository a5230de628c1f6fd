import { formatChannelLabel } from '../../../contract/channel.ts'
import type { Member } from '../../../contract/community.ts'
import { classNames } from '../../ui/class-names.ts'
import { Cover } from '../../ui/cover.tsx'
import styles from './member-picture.module.css'

interface MemberPictureProps {
  member: Member
  /** The rendered width in CSS pixels, or a value for the `sizes` attribute. */
  width: number | string
  /** Alternative text; empty if the adjacent text says the same. */
  alt: string
  priority?: boolean
  className?: string | undefined
}

/** A member's picture. The first letter of the name takes the place of a picture that cannot be loaded. */
export function MemberPicture({ member, className, ...cover }: MemberPictureProps) {
  return (
    <span className={classNames(styles.picture, className)} data-initial={Array.from(formatChannelLabel(member).trim())[0]?.toUpperCase()}>
      <Cover src={member.channel_pic} ratio="square" className={styles.cover} {...cover} />
    </span>
  )
}
