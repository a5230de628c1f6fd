import { useEffect, useState } from 'react'
import { usePlayer, usePlayerState } from '../../bindings/player.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import typeStyles from '../../ui/type.module.css'
import styles from './sleep-dialog.module.css'

const offered = [15, 30, 45, 60, 90] as const
const TICK_MS = 1000

/** Stops the music after some minutes or at the end of this song. */
export function SleepDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const player = usePlayer()
  const sleep = usePlayerState((state) => state.sleep)
  const choose = (choice: Parameters<typeof player.setSleep>[0]) => {
    player.setSleep(choice)
    onClose()
  }
  return (
    <Dialog open={open} onClose={onClose} title="Sleep timer">
      {sleep.kind === 'at' && <Remaining atMs={sleep.atMs} />}
      <ul className={styles.choices}>
        {offered.map((minutes) => (
          <Choice
            key={minutes}
            label={`${minutes} minutes`}
            chosen={sleep.kind === 'at' && sleep.minutes === minutes}
            onChoose={() => choose({ minutes })}
          />
        ))}
        <Choice label="End of this song" chosen={sleep.kind === 'end-of-song'} onChoose={() => choose('end-of-song')} />
        <Choice label="Off" chosen={sleep.kind === 'off'} onChoose={() => choose('off')} />
      </ul>
    </Dialog>
  )
}

function Choice({ label, chosen, onChoose }: { label: string; chosen: boolean; onChoose: () => void }) {
  return (
    <li>
      <button type="button" className={styles.choice} aria-pressed={chosen} onClick={onChoose}>
        {label}
        {chosen && <Icon name="check" size="s" />}
      </button>
    </li>
  )
}

function Remaining({ atMs }: { atMs: number }) {
  const [nowMs, setNowMs] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), TICK_MS)
    return () => clearInterval(timer)
  }, [])
  const minutes = Math.max(1, Math.ceil((atMs - nowMs) / 60_000))
  return (
    <p className={classNames(typeStyles.muted, styles.remaining)}>
      The music stops in {minutes} {minutes === 1 ? 'minute' : 'minutes'}.
    </p>
  )
}
