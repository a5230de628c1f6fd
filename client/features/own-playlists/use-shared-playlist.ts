import { useCallback } from 'react'
import type { PlaylistWithSongs } from '../../../contract/playlist.ts'
import type { Song } from '../../../contract/song.ts'
import { toCallError } from '../../hooks/remote-data.ts'
import { useServices } from '../../hooks/services.tsx'
import { ApiCallError } from '../../platform/api.ts'
import { describeSaveFailure } from './use-open-store.ts'

/** Returns the function that reports a shared playlist. Resolves with the message for the person; never rejects. */
export function useReportPlaylist(shareToken: string): (reason: string) => Promise<{ isSent: boolean; message: string }> {
  const { api } = useServices()
  return useCallback(
    async (reasonText) => {
      try {
        await api.call('POST /list/report', { l: shareToken, reason: reasonText })
        return { isSent: true, message: 'Playlist reported successfully!' }
      } catch (error) {
        const isRefused = error instanceof ApiCallError && error.kind === 'api'
        return { isSent: false, message: isRefused ? error.message : "The site isn't responding. Your report was not sent; try again." }
      }
    },
    [api, shareToken],
  )
}

/**
 * Returns the function that returns all songs of a shared playlist: those of `loaded` if it has all of them, or else those that it requests, because the
 * page's HTML has only the first songs. Rejects with an `ApiCallError`.
 */
export function useAllSharedSongs(shareToken: string) {
  const { api } = useServices()
  return useCallback(
    async ({ playlist, songs }: PlaylistWithSongs): Promise<readonly Song[]> => {
      if (songs.length >= playlist.song_count) return songs
      try {
        const { requestSharedPlaylist } = await import('../../data/rare-playlist-requests.ts')
        return (await requestSharedPlaylist(api, shareToken)).songs
      } catch (cause) {
        throw toCallError(cause)
      }
    },
    [api, shareToken],
  )
}

/** Returns the error text for a copy of a shared playlist that could not be saved. */
export const describeCopyFailure = (cause: unknown): string =>
  cause instanceof ApiCallError && cause.code === 404
    ? 'This playlist is no longer shared, so nothing was saved.'
    : describeSaveFailure(cause)

/** Why a playlist could not be made public or private, and what helps: a log-in or a page; without both, the person can try again. */
export interface ShareFailure {
  messageText: string
  help?: 'login' | { label: string; to: string }
}

const shareFailures: Readonly<Record<number, ShareFailure>> = {
  401: { messageText: 'Your login has ended, so nothing was changed.', help: 'login' },
  403: {
    messageText: 'The team of this site has hidden this playlist, so it cannot be shared.',
    help: { label: 'Contact us', to: '/get-in-touch?topic=other' },
  },
  404: {
    messageText: 'The site does not have this playlist. It was deleted on another device, or your changes were not sent yet.',
    help: { label: 'See unsent changes', to: '/storage' },
  },
  429: { messageText: 'You made too many changes in a short time. Wait a minute, then try again.' },
}

/** Returns the message about a failure of `useShareOwnPlaylist`. */
export function toShareFailure(cause: unknown): ShareFailure {
  const { kind, code } = toCallError(cause)
  if (kind === 'network') return { messageText: "The site isn't responding, so nothing was changed." }
  return shareFailures[code] ?? { messageText: 'Something went wrong on the site, so nothing was changed.' }
}

/** Returns the function that makes an own playlist public or private on the server. Rejects with an `ApiCallError`. */
export function useShareOwnPlaylist(playlistId: string) {
  const { accountApi, offlineMutations } = useServices()
  return useCallback(
    async (sharingValues: { share: boolean; indexed?: boolean }) => {
      const { outbox } = await offlineMutations()
      // Waiting changes are sent first, because the server can share only playlists that it has. The sync afterwards fetches the link's token.
      await outbox.drain()
      await accountApi.call('POST /list/share', { l: playlistId, ...sharingValues })
      await outbox.sync()
    },
    [accountApi, offlineMutations, playlistId],
  )
}
