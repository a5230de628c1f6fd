import { useEffect } from 'react'
import type { MakeHistoryRow } from '../../../contract/conversion.ts'
import { ADDRESS_MINUTES } from '../../../contract/conversion-rules.ts'
import { useAccountData } from '../../hooks/account-data.ts'
import type { RemoteData } from '../../hooks/remote-data.ts'
import { listen, startInterval } from '../../primitives/scope.ts'

const REFRESH_MS = (ADDRESS_MINUTES / 2) * 60_000

/** Returns the exported files of the signed-in account, with URLs of those that the server still has. The URLs are renewed before they expire. */
export function useConvertedFiles(): RemoteData<MakeHistoryRow[]> {
  const files = useAccountData('GET /make/history', {})
  const { reload } = files
  useEffect(() => startInterval(reload, REFRESH_MS), [reload])
  // The timers of a hidden page may have been stopped.
  useEffect(
    () =>
      listen(document, 'visibilitychange', () => {
        if (!document.hidden) reload()
      }),
    [reload],
  )
  return files
}
