import { useIsOfflineAndNotPlaying, usePlayer, usePlayerState } from '../../hooks/player.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Icon } from '../../ui/icon.tsx'
import styles from './player-message.module.css'

const ERROR_CODE_EXPLANATIONS: Record<number, string> = {
  2: 'Its address is not valid.',
  5: 'This browser cannot play it.',
  100: 'It was removed or made private.',
  101: 'Its owner does not allow it on other sites.',
  150: 'Its owner does not allow it on other sites.',
  153: 'The video platform did not accept this page.',
}

/**
 * Explains why the player does not play; renders nothing if nothing prevents the player from playing. `isBrief`: the text fits in one line.
 */
export function PlayerMessage({ className, isBrief: brief = false }: { className?: string | undefined; isBrief?: boolean }) {
  const player = usePlayer()
  const status = usePlayerState((state) => state.status)
  const error = usePlayerState((state) => state.error)
  const isOffline = useIsOfflineAndNotPlaying()
  const messageClassName = classNames(styles.message, className)

  if (isOffline) {
    return (
      <p className={messageClassName} role="status">
        <Icon name="offline" size="s" className={styles.icon} />
        <span>{brief ? 'No connection' : 'This song needs a connection to play. Your queue stays here.'}</span>
      </p>
    )
  }
  if (status === 'blocked') {
    return (
      <p className={messageClassName} role="status">
        <Icon name="play" size="s" className={styles.icon} />
        <span>Press play to start.</span>
      </p>
    )
  }
  if (!error) return null
  return (
    <p className={classNames(messageClassName, styles.bad)} role="alert">
      <Icon name={error.kind === 'network' ? 'offline' : 'warning'} size="s" className={styles.icon} />
      <span>
        {error.kind === 'not-found' && 'This song is no longer on the site.'}
        {error.kind === 'network' && error.message}
        {error.kind === 'unplayable' &&
          `This video can't play here. ${error.skipped ? 'The next song follows in a moment.' : (ERROR_CODE_EXPLANATIONS[error.code] ?? 'Choose another song.')}`}
      </span>
      {error.kind === 'network' && (
        <button type="button" className={styles.retry} onClick={() => player.retry()}>
          Retry
        </button>
      )}
    </p>
  )
}
