import { useCallback } from 'react'
import type { EndpointData } from '../../../contract/endpoints.ts'
import { LIST_LIMIT_MAX } from '../../../contract/playlist-rules.ts'
import { type RemoteData, useRemoteData } from '../../hooks/remote-data.ts'
import { useServices } from '../../hooks/services.tsx'
import { ApiCallError } from '../../platform/api.ts'

/** Requests the playlist that its owner shares under a token. */
export function useSharedPlaylist(token: string): RemoteData<EndpointData<'GET /list/get'>> {
  const { api } = useServices()
  return useRemoteData(useCallback((signal) => api.call('GET /list/get', { l: token, limit: LIST_LIMIT_MAX }, { signal }), [api, token]))
}

/** Returns the function that reports a shared playlist. Resolves with the message for the person; never rejects. */
export function useReportPlaylist(token: string): (reason: string) => Promise<{ isSent: boolean; message: string }> {
  const { api } = useServices()
  return useCallback(
    async (reason) => {
      try {
        await api.call('POST /list/report', { l: token, reason })
        return { isSent: true, message: 'Playlist reported successfully!' }
      } catch (error) {
        const isRefused = error instanceof ApiCallError && error.kind === 'api'
        return { isSent: false, message: isRefused ? error.message : "The site isn't responding. Your report was not sent; try again." }
      }
    },
    [api, token],
  )
}

/** Plays songs from the first, with the others queued in place of the current queue. */
export function usePlaySongs(): (songs: EndpointData<'GET /list/get'>['songs']) => void {
  const { player } = useServices()
  return useCallback(
    (songs) => {
      const [firstSong, ...others] = songs
      if (!firstSong) return
      player.clearQueue()
      player.open({ songId: firstSong.youtube_id, contextId: firstSong.category_id })
      for (const song of others) player.enqueue(song)
    },
    [player],
  )
}

/** Returns the function that makes an own playlist public or private on the server. Rejects with an `ApiCallError`. */
export function useShareOwnPlaylist(id: string) {
  const { accountApi, offlineMutations } = useServices()
  return useCallback(
    async (values: { share: boolean; indexed?: boolean }) => {
      const { outbox } = await offlineMutations()
      // Waiting changes are sent first, because the server can share only playlists that it has. The sync afterwards fetches the link's token.
      await outbox.drain()
      await accountApi.call('POST /list/share', { l: id, ...values })
      await outbox.sync()
    },
    [accountApi, offlineMutations, id],
  )
}
