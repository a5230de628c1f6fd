import { useCallback } from 'react'
import { useServices } from '../../hooks/services.tsx'
import { ApiCallError } from '../../platform/api.ts'

/** A song in its context, or a playlist or category, which plays from its first song. */
export type Playable = { songId: string; contextId: string | undefined } | { playlistId: string }

/** Parses the URL of a link to a song or playlist; `undefined` for other links. */
export function parsePlayable({ pathname, search }: Pick<URL, 'pathname' | 'search'>): Playable | undefined {
  const queryParameters = new URLSearchParams(search)
  const playlistOrCategoryId = queryParameters.get('p') ?? undefined
  const songId = queryParameters.get('s')
  if (pathname === '/song' && songId !== null) return { songId, contextId: playlistOrCategoryId }
  if (pathname === '/playlist' && playlistOrCategoryId !== undefined) return { playlistId: playlistOrCategoryId }
  return undefined
}

/** The number of presses of play buttons so far, which identifies the latest press. */
let pressCount = 0

/**
 * Returns the function that starts a song or a playlist without leaving the page, or pauses and resumes it if it is the current one. It resolves with
 * false if the playlist has no songs, and rejects with an `ApiCallError` if its first song could not be loaded.
 */
export function usePlayNow(): (playable: Playable) => Promise<boolean> {
  const { api, catalogue, player } = useServices()
  return useCallback(
    async (playable) => {
      const pressNumber = ++pressCount
      const { songId, contextId } = player.getSnapshot()
      if ('songId' in playable ? playable.songId === songId : playable.playlistId === contextId) {
        player.toggle()
        return true
      }
      if ('songId' in playable) {
        player.open(playable)
        return true
      }
      const { playlistId } = playable
      const playlistResource = catalogue.playlist(playlistId)
      await playlistResource.waitUntilOpened()
      const storedSongs = playlistResource.getSnapshot().data?.songs
      const songs = storedSongs ?? (await api.call('GET /playlist/get', { p: playlistId, limit: 1 })).songs
      const [firstSong] = songs
      // Does nothing if another play button was pressed or another song was opened while the playlist was requested.
      if (firstSong && pressNumber === pressCount && player.getSnapshot().songId === songId)
        player.open({ songId: firstSong.youtube_id, contextId: playlistId })
      return firstSong !== undefined
    },
    [api, catalogue, player],
  )
}

/** Returns the text that explains why a playlist could not be started. */
export const describePlayFailure = (error: unknown): string =>
  error instanceof ApiCallError && error.kind === 'api' ? error.message : 'An error occurred while fetching data.'
