import { useMemo } from 'react'
import type { Song } from '../../../contract/song.ts'
import { createLiveQuery } from '../../data/live-query.ts'
import { useLiveQuery } from '../../hooks/live-query.ts'
import { useServices } from '../../hooks/services.tsx'

/** Returns the row from which a song was opened, or which a list or a play has stored; `undefined` without a `songId`, and until it is read. */
export function useListedSong(songId: string | undefined): Song | undefined {
  const { database, catalogue } = useServices()
  const storedSong = useLiveQuery(
    useMemo(() => (songId === undefined ? undefined : createLiveQuery(database, (tables) => tables.songs.get(songId))), [database, songId]),
  )
  return catalogue.notedSong(songId) ?? storedSong
}
