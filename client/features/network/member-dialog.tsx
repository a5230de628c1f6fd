import { createChannelUrl, formatChannelLabel, isExampleMember } from '../../../contract/channel.ts'
import type { Member } from '../../../contract/community.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { formatCount, formatPlural } from '../../ui/format.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import typeStyles from '../../ui/type.module.css'
import styles from './member-dialog.module.css'
import { MemberPicture } from './member-picture.tsx'

interface MemberDialogProps {
  /** The members among which Previous and Next step, in the order in which the page shows them. */
  members: readonly Member[]
  /** The channel id of the shown member; `undefined` closes the dialog. */
  shownChannelId: string | undefined
  onShow: (channelId: string | undefined) => void
}

/**
 * A dialog with a member's picture, name and channel. Buttons and arrow keys show the previous and the next member. On close, the focus
 * returns to the element that opened the dialog.
 */
export function MemberDialog({ members, shownChannelId, onShow }: MemberDialogProps) {
  const index = shownChannelId === undefined ? -1 : members.findIndex((member) => member.channel_id === shownChannelId)
  const member = members[index]
  const showNeighbour = (step: 1 | -1) => onShow(members[(index + step + members.length) % members.length]?.channel_id)
  const memberName = member ? formatChannelLabel(member) : ''
  return (
    <Dialog
      open={member !== undefined}
      onClose={() => onShow(undefined)}
      title={memberName}
      shape="wide"
      picture={
        member && (
          <MemberPicture
            key={member.channel_id}
            member={member}
            width="(max-width: 640px) 100vw, 300px"
            alt={`Picture of ${memberName}`}
            className={styles.picture}
            priority
          />
        )
      }
      lead={
        <span className={typeStyles.legend}>
          {formatCount(index + 1)} / {formatCount(members.length)}
        </span>
      }
      onKeyDown={(event) => {
        if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
        if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return
        event.preventDefault()
        showNeighbour(event.key === 'ArrowLeft' ? -1 : 1)
      }}
    >
      {member && (
        <div className={styles.facts}>
          {member.subs > 0 && <p className={typeStyles.muted}>{formatPlural(member.subs, 'subscriber')}</p>}
          {member.sub_tag.trim() !== '' && <p className={styles.tag}>{member.sub_tag}</p>}
          {isExampleMember(member) && (
            <p className={styles.note}>Example: this channel is invented, so the link opens the start page of YouTube.</p>
          )}
          <div className={styles.buttons}>
            {members.length > 1 && (
              <>
                <IconButton
                  icon="chevron-left"
                  label="Previous member"
                  look="bright"
                  className={styles.step ?? ''}
                  onClick={() => showNeighbour(-1)}
                />
                <IconButton
                  icon="chevron-right"
                  label="Next member"
                  look="bright"
                  className={styles.step ?? ''}
                  onClick={() => showNeighbour(1)}
                />
              </>
            )}
            <Button to={createChannelUrl(member)} newTab variant="primary" icon="external" className={styles.visit ?? ''}>
              Visit channel
            </Button>
          </div>
        </div>
      )}
    </Dialog>
  )
}
