import { createContext, use } from 'react'
import type { Song } from '../../contract/song.ts'
import { useIsFavorite } from './favorites.ts'

/** From now on the song is a favorite, or is none: shows it, says it, and offers the way back. */
export type ChangeFavorite = (song: Song, favorite: boolean) => void

/** How a change is told to a person, given once above all pages. */
export const FavoriteChanges = createContext<ChangeFavorite>(() => {})

/** Whether a song is a favorite, and what a press on its heart does. */
export function useFavoriteToggle(song: Song | undefined): { favorite: boolean; toggle: () => void } {
  const change = use(FavoriteChanges)
  const favorite = useIsFavorite(song?.youtube_id ?? '')
  return { favorite, toggle: () => song && change(song, !favorite) }
}
