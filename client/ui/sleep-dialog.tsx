import { classNames } from './class-names.ts'
import { Dialog } from './dialog.tsx'
import { Icon } from './icon.tsx'
import styles from './sleep-dialog.module.css'
import { type SleepTimer, useRemainingMinutes } from './sleep-label.tsx'
import typeStyles from './type.module.css'

const OFFERED_MINUTES = [15, 30, 45, 60, 90] as const

interface SleepDialogProps {
  sleep: SleepTimer
  onChoose: (sleep: { minutes: number } | 'end-of-song' | 'off') => void
  open: boolean
  onClose: () => void
}

/** Sets the sleep timer: a number of minutes, or the end of the current song. */
export function SleepTimerDialog({ sleep, onChoose, open, onClose }: SleepDialogProps) {
  const chooseSetting = (newSleepSetting: Parameters<typeof onChoose>[0]) => {
    onChoose(newSleepSetting)
    onClose()
  }
  return (
    <Dialog open={open} onClose={onClose} title="Sleep timer">
      {sleep.kind === 'at' && <RemainingTime atMs={sleep.atMs} />}
      <ul className={styles.choices}>
        {OFFERED_MINUTES.map((minutes) => (
          <SleepChoice
            key={minutes}
            label={`${minutes} minutes`}
            chosen={sleep.kind === 'at' && sleep.minutes === minutes}
            onChoose={() => chooseSetting({ minutes })}
          />
        ))}
        <SleepChoice label="End of this song" chosen={sleep.kind === 'end-of-song'} onChoose={() => chooseSetting('end-of-song')} />
        <SleepChoice label="Off" chosen={sleep.kind === 'off'} onChoose={() => chooseSetting('off')} />
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
