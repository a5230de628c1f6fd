import { useMemo } from 'react'
import type { Song } from '../../../contract/song.ts'
import { createLiveQuery } from '../../data/live-query.ts'
import { useLiveQuery } from '../../hooks/live-query.ts'
import { useServices } from '../../hooks/services.tsx'

/** Returns the row from which a song was opened, or which a list or a play has stored; `undefined` without an `id`, and until it is read. */
export function useListedSong(id: string | undefined): Song | undefined {
  const { database, catalogue } = useServices()
  const storedSong = useLiveQuery(
    useMemo(() => (id === undefined ? undefined : createLiveQuery(database, (tables) => tables.songs.get(id))), [database, id]),
  )
  return catalogue.notedSong(id) ?? storedSong
}
