import { useCallback, useState } from 'react'
import { createSongPath, useNavigateTo } from '../../hooks/paths.ts'
import { type Services, useServices } from '../../hooks/services.tsx'
import { ApiCallError } from '../../platform/api.ts'

/** Returns the path that the server's `/go/random` redirects to. Rejects if there is no song. */
export async function requestRandomSongPath({ catalogue }: Pick<Services, 'catalogue'>): Promise<string> {
  const song = await catalogue.randomSong()
  return createSongPath(song.youtube_id, song.category_id, { shuffle: true })
}

export interface RandomSongAction {
  /** Opens a random song of the catalogue other than the current song. */
  open(): void
  isBusy: boolean
}

/** `onFailure` receives an error message to show to the person. */
export function useRandomSong(onFailure: (message: string) => void): RandomSongAction {
  const { catalogue, player } = useServices()
  const navigateTo = useNavigateTo()
  const [isBusy, setBusy] = useState(false)
  const openRandomSong = useCallback(() => {
    const currentSongId = player.getSnapshot().songId
    setBusy(true)
    catalogue
      .randomSong(currentSongId === undefined ? {} : { not: currentSongId })
      .then((song) => navigateTo(createSongPath(song.youtube_id, song.category_id)))
      .catch((error: unknown) => {
        if (!(error instanceof ApiCallError)) throw error
        onFailure(error.kind === 'network' ? 'An error occurred while fetching data.' : error.message)
      })
      .finally(() => setBusy(false))
  }, [catalogue, player, navigateTo, onFailure])
  return { open: openRandomSong, isBusy }
}
