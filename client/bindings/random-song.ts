import { useCallback, useState } from 'react'
import { ApiFailure } from '../platform/api.ts'
import { useGo } from './go.ts'
import { songPath } from './paths.ts'
import { type Services, useServices } from './services.tsx'

/** The address that the server's own `/go/random` leads to. Rejects where no song is known. */
export async function randomSongPath({ catalogue }: Pick<Services, 'catalogue'>): Promise<string> {
  const song = await catalogue.randomSong()
  return songPath(song.youtube_id, song.category_id, { shuffle: true })
}

export interface RandomSongAction {
  /** Opens some song of the whole catalogue, another than the current one. */
  open(): void
  /** The song is being asked for. */
  busy: boolean
}

/** `onFailure` gets a text to show. */
export function useRandomSong(onFailure: (text: string) => void): RandomSongAction {
  const { catalogue, player } = useServices()
  const go = useGo()
  const [busy, setBusy] = useState(false)
  const open = useCallback(() => {
    const current = player.getSnapshot().songId
    setBusy(true)
    catalogue
      .randomSong(current === undefined ? {} : { not: current })
      .then((song) => go(songPath(song.youtube_id, song.category_id)))
      .catch((error: unknown) => {
        if (!(error instanceof ApiFailure)) throw error
        onFailure(error.kind === 'network' ? 'An error occurred while fetching data.' : error.message)
      })
      .finally(() => setBusy(false))
  }, [catalogue, player, go, onFailure])
  return { open, busy }
}
