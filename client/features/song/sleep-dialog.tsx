import { usePlayer, usePlayerState } from '../../bindings/player.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import typeStyles from '../../ui/type.module.css'
import styles from './sleep-dialog.module.css'
import { useRemainingMinutes } from './use-remaining-minutes.ts'

const OFFERED_MINUTES = [15, 30, 45, 60, 90] as const

/** Sets the sleep timer: a number of minutes, or the end of the current song. */
export function SleepDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const player = usePlayer()
  const sleepTimer = usePlayerState((state) => state.sleep)
  const chooseSleep = (newSleep: Parameters<typeof player.setSleep>[0]) => {
    player.setSleep(newSleep)
    onClose()
  }
  return (
    <Dialog open={open} onClose={onClose} title="Sleep timer">
      {sleepTimer.kind === 'at' && <RemainingTime atMs={sleepTimer.atMs} />}
      <ul className={styles.choices}>
        {OFFERED_MINUTES.map((minutes) => (
          <SleepChoice
            key={minutes}
            label={`${minutes} minutes`}
            chosen={sleepTimer.kind === 'at' && sleepTimer.minutes === minutes}
            onChoose={() => chooseSleep({ minutes })}
          />
        ))}
        <SleepChoice label="End of this song" chosen={sleepTimer.kind === 'end-of-song'} onChoose={() => chooseSleep('end-of-song')} />
        <SleepChoice label="Off" chosen={sleepTimer.kind === 'off'} onChoose={() => chooseSleep('off')} />
      </ul>
    </Dialog>
  )
}

function SleepChoice({ label, chosen, onChoose }: { label: string; chosen: boolean; onChoose: () => void }) {
  return (
    <li>
      <button type="button" className={styles.choice} aria-pressed={chosen} onClick={onChoose}>
        {label}
        {chosen && <Icon name="check" size="s" />}
      </button>
    </li>
  )
}

function RemainingTime({ atMs }: { atMs: number }) {
  const minutes = useRemainingMinutes(atMs)
  return (
    <p className={classNames(typeStyles.muted, styles.remaining)}>
      The music stops in {minutes} {minutes === 1 ? 'minute' : 'minutes'}.
    </p>
  )
}
