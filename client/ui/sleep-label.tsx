import { useEffect, useState } from 'react'
import { startInterval } from '../primitives/scope.ts'
import typeStyles from './type.module.css'

/** The state of the sleep timer: off, set to a time (epoch milliseconds), or set to the end of the current song. */
export type SleepTimer = { kind: 'off' } | { kind: 'at'; atMs: number; minutes: number } | { kind: 'end-of-song' }

/** The label of the sleep timer's button while the timer is set: the time until the music stops. */
export function SleepTimerLabel({ sleep }: { sleep: SleepTimer }) {
  return (
    <span>
      <span className={typeStyles.hidden}>Sleep timer: </span>
      {sleep.kind === 'at' ? <RemainingMinutes atMs={sleep.atMs} /> : 'After this song'}
    </span>
  )
}

const RemainingMinutes = ({ atMs }: { atMs: number }) => `${useRemainingMinutes(atMs)} min left`

const LABEL_UPDATE_INTERVAL_MS = 1000

const countMinutesUntil = (endsAtMs: number) => Math.max(1, Math.ceil((endsAtMs - Date.now()) / 60_000))

/** Returns the minutes until `endsAtMs` (epoch milliseconds), rounded up, at least 1. Renders again when the number changes. */
export function useRemainingMinutes(endsAtMs: number): number {
  const [minutesLeft, setMinutesLeft] = useState(() => countMinutesUntil(endsAtMs))
  useEffect(() => {
    const updateMinutes = () => setMinutesLeft(countMinutesUntil(endsAtMs))
    updateMinutes()
    return startInterval(updateMinutes, LABEL_UPDATE_INTERVAL_MS)
  }, [endsAtMs])
  return minutesLeft
}
