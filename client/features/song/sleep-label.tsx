import type { PlayerState } from '../../bindings/player.tsx'
import typeStyles from '../../ui/type.module.css'
import { useRemainingMinutes } from './use-remaining-minutes.ts'

/** The label of the button of a sleep timer that is set: when the music stops. */
export function SleepLabel({ sleep }: { sleep: PlayerState['sleep'] }) {
  return (
    <span>
      <span className={typeStyles.hidden}>Sleep timer: </span>
      {sleep.kind === 'at' ? <RemainingMinutes atMs={sleep.atMs} /> : 'After this song'}
    </span>
  )
}

const RemainingMinutes = ({ atMs }: { atMs: number }) => `${useRemainingMinutes(atMs)} min left`
