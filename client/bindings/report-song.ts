import { useCallback } from 'react'
import { NOBODY } from '../data/store.ts'
import { ApiFailure } from '../platform/api.ts'
import { uniqueId } from '../platform/unique-id.ts'
import { useServices } from './services.tsx'

/** `kept`: there was no answer, and it is sent when there is a connection. `refused`: the server answered, but did not take it. */
export type ReportAnswer = 'sent' | 'kept' | 'refused' | 'network'

/** Sends a report about a song to the team. Never rejects; `network` where it could not be kept either. */
export function useReportSong(): (songId: string, reason: string) => Promise<ReportAnswer> {
  const { api, identity, writes } = useServices()
  return useCallback(
    async (songId, reason) => {
      // If it is the answer that was lost, the site knows it again by its id.
      const id = uniqueId()
      const body = { topic: 'song-report' as const, message: `Song: ${songId}\nReason: ${reason}`, change_id: id }
      try {
        await api.call('POST /contact/request', body)
        return 'sent'
      } catch (cause) {
        if (cause instanceof ApiFailure && cause.kind === 'api') return 'refused'
      }
      try {
        const { outbox } = await writes()
        await outbox.add({ id, uid: identity.getSnapshot()?.uid ?? NOBODY, call: 'POST /contact/request', body })
        return 'kept'
      } catch {
        return 'network'
      }
    },
    [api, identity, writes],
  )
}
