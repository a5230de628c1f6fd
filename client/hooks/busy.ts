import { useEffect } from 'react'
import { type BusyReason, busy } from '../platform/busy.ts'

/** Defers updates of the site while `isBusy`, for example during playback, an export or while a form is filled in. */
export function useBusyWhile(isBusy: boolean, reason: BusyReason): void {
  useEffect(() => (isBusy ? busy.hold(reason) : undefined), [isBusy, reason])
}
