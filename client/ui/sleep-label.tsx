import typeStyles from './type.module.css'
import { useRemainingMinutes } from './use-remaining-minutes.ts'

/** A sleep timer: off, at a time (epoch milliseconds), or at the end of the current song. */
export type SleepTimer = { kind: 'off' } | { kind: 'at'; atMs: number; minutes: number } | { kind: 'end-of-song' }

/** The label of the button of a sleep timer that is set: when the music stops. */
export function SleepLabel({ sleep }: { sleep: SleepTimer }) {
  return (
    <span>
      <span className={typeStyles.hidden}>Sleep timer: </span>
      {sleep.kind === 'at' ? <RemainingMinutes atMs={sleep.atMs} /> : 'After this song'}
    </span>
  )
}

const RemainingMinutes = ({ atMs }: { atMs: number }) => `${useRemainingMinutes(atMs)} min left`
