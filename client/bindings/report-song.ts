import { useCallback } from 'react'
import { ApiFailure } from '../platform/api.ts'
import { useServices } from './services.tsx'

/** `refused`: the server answered, but did not take it. */
export type ReportAnswer = 'sent' | 'refused' | 'network'

/** Sends a report about a song to the team. Never rejects. */
export function useReportSong(): (songId: string, reason: string) => Promise<ReportAnswer> {
  const { api } = useServices()
  return useCallback(
    async (songId, reason) => {
      try {
        await api.call('POST /contact/request', { topic: 'song-report', message: `Song: ${songId}\nReason: ${reason}` })
        return 'sent'
      } catch (cause) {
        return cause instanceof ApiFailure && cause.kind === 'api' ? 'refused' : 'network'
      }
    },
    [api],
  )
}
