import { useEffect, useState } from 'react'
import { startInterval } from '../primitives/scope.ts'

const TICK_MS = 1000

const minutesUntil = (atMs: number) => Math.max(1, Math.ceil((atMs - Date.now()) / 60_000))

/** Returns the minutes until `atMs` (epoch milliseconds), rounded up, at least 1. Renders again when the number changes. */
export function useRemainingMinutes(atMs: number): number {
  const [minutes, setMinutes] = useState(() => minutesUntil(atMs))
  useEffect(() => {
    const update = () => setMinutes(minutesUntil(atMs))
    update()
    return startInterval(update, TICK_MS)
  }, [atMs])
  return minutes
}
