import { memo } from 'react'
import { formatChannelLabel } from '../../../contract/channel.ts'
import type { Member } from '../../../contract/community.ts'
import { MemberPicture } from './member-picture.tsx'
import styles from './member-tile.module.css'

interface MemberTileProps {
  member: Member
  /** The position in the list, from 0, and the length of the list. */
  index: number
  memberCount: number
  onOpen: (channelId: string) => void
  /** The row of the grid, from 1; by default, the tile is placed after the previous one. */
  gridRow?: number
}

/** A member's picture and name as a button in a list. */
export const MemberTile = memo(function MemberTile({ member, index, memberCount, onOpen, gridRow }: MemberTileProps) {
  const memberName = formatChannelLabel(member)
  return (
    <li
      className={styles.item}
      style={gridRow === undefined ? undefined : { gridRow }}
      data-index={index}
      aria-setsize={memberCount}
      aria-posinset={index + 1}
    >
      <button
        type="button"
        className={styles.tile}
        title={memberName}
        aria-haspopup="dialog"
        onClick={(event) => {
          // Focuses the button, because some browsers do not focus a clicked button, and the dialog returns the focus to the element that
          // was focused when the dialog opened.
          event.currentTarget.focus({ preventScroll: true })
          onOpen(member.channel_id)
        }}
      >
        <MemberPicture member={member} width={88} alt="" className={styles.picture} />
        <span className={styles.name} dir="auto">
          {memberName}
        </span>
      </button>
    </li>
  )
})
