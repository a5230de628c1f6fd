import { useCallback } from 'react'
import { createArtistPath, createSongPath } from '../../hooks/paths.ts'
import { useRemoteData } from '../../hooks/remote-data.ts'
import { useServices } from '../../hooks/services.tsx'
import { NameLinks } from './name-links.tsx'

/** Artists and songs that are spelled like the text of a search that found nothing. Renders nothing if there are none, or without a connection. */
export function DidYouMean({ text }: { text: string }) {
  const { api, catalogue } = useServices()
  const { data } = useRemoteData(
    useCallback((signal: AbortSignal) => api.call('GET /search/similar', { s: text }, { signal }), [api, text]),
  )
  if (data === undefined) return null
  const suggestedNames = [
    ...data.artists.map(({ name }) => ({ path: createArtistPath(name), name, icon: 'user' as const })),
    ...data.songs.map((song) => ({
      path: createSongPath(song.youtube_id, song.category_id),
      name: song.title,
      icon: 'play' as const,
      onFollow: () => catalogue.noteSong(song),
    })),
  ]
  return <NameLinks label="Did you mean" names={suggestedNames} />
}
