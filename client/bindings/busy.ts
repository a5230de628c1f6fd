import { useEffect } from 'react'
import { type BusyReason, busy } from '../platform/busy.ts'

/** While `active`, no update interrupts the page: for a song that plays, an export that runs, a form that is filled in. */
export function useBusyWhile(active: boolean, reason: BusyReason): void {
  useEffect(() => (active ? busy.hold(reason) : undefined), [active, reason])
}
