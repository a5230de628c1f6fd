import { type PlayerState, usePlayerState } from '../../hooks/player.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Icon } from '../../ui/icon.tsx'
import styles from './dock.module.css'
import { describeEditFailure } from './edit-failure.ts'
import messageStyles from './player-message.module.css'

/** The picture of a maker project; an empty frame if it has none. */
export const EditCover = ({ edit }: { edit: NonNullable<PlayerState['current']> }) => (
  <span className={styles.editCover}>{edit.artwork?.[0] && <img src={edit.artwork[0].src} alt="" width={48} height={48} />}</span>
)

/** The line below the name of an edit: the artist, the event for which the player is waiting, or the reason why the edit does not play. */
export function EditLine({ artist, className, messageClassName }: Record<'artist' | 'className' | 'messageClassName', string | undefined>) {
  const status = usePlayerState((state) => state.status)
  const error = usePlayerState((state) => state.error)
  if (error)
    return (
      <p className={classNames(messageStyles.message, messageStyles.bad, messageClassName)} role="alert">
        <Icon name="warning" size="s" className={messageStyles.icon} />
        <span>{describeEditFailure(error)}</span>
      </p>
    )
  const statusText = status === 'blocked' ? 'Press play to start.' : status === 'loading' ? 'Making the sound...' : undefined
  return (
    <span className={className} role={statusText && 'status'} dir={statusText ? undefined : 'auto'}>
      {statusText ?? artist}
    </span>
  )
}
