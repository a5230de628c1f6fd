import { useCallback } from 'react'
import { ANONYMOUS_UID } from '../../data/local-database.ts'
import { useServices } from '../../hooks/services.tsx'
import { ApiCallError } from '../../platform/api.ts'
import { createUniqueId } from '../../primitives/unique-id.ts'

/**
 * The result of reporting a song. `queued`: the server did not respond, and the report waits in the outbox. `refused`: the server responded
 * with an error.
 */
export type ReportResult = 'sent' | 'queued' | 'refused' | 'network'

/**
 * Returns the function that reports a song to the team. Never rejects. Resolves with `network` if the report could neither be sent nor
 * stored.
 */
export function useReportSong(): (songId: string, reason: string) => Promise<ReportResult> {
  const { api, accountApi, identity, offlineMutations } = useServices()
  return useCallback(
    async (songId, reasonText) => {
      // If only the response was lost, the server recognizes the repeated report by the report's id.
      const changeId = createUniqueId()
      const requestBody = { topic: 'song-report' as const, message: `Song: ${songId}\nReason: ${reasonText}`, change_id: changeId }
      try {
        await accountApi.call('POST /contact/request', requestBody).catch((cause: unknown) => {
          // If the login has ended, the report is sent without an account.
          if (cause instanceof ApiCallError && cause.code === 401) return api.call('POST /contact/request', requestBody)
          throw cause
        })
        return 'sent'
      } catch (cause) {
        if (cause instanceof ApiCallError && cause.kind === 'api') return 'refused'
      }
      try {
        const { outbox } = await offlineMutations()
        await outbox.add({
          id: changeId,
          uid: identity.getSnapshot()?.uid ?? ANONYMOUS_UID,
          call: 'POST /contact/request',
          body: requestBody,
        })
        return 'queued'
      } catch {
        return 'network'
      }
    },
    [api, accountApi, identity, offlineMutations],
  )
}
