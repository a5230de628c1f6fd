import { useCallback } from 'react'
import type { Song } from '../../contract/song.ts'
import { usePlayerState } from '../hooks/player.tsx'
import type { SongRowProps } from './song-row.tsx'

interface ListRowOptions {
  /** Returns the context in which a song is played: a playlist or category id, or 'favorite'. */
  getContextId: (song: Song) => string
  /** The number of rows of the list; -1 if it is unknown. */
  rowCount: number
  numbered: boolean
}

/** Returns a function that computes the props of a list row from its song and index. */
export function useRowProps({
  getContextId,
  rowCount,
  numbered,
}: ListRowOptions): (song: Song, index: number) => Omit<SongRowProps, 'topPx'> {
  const songId = usePlayerState((state) => state.songId)
  const isPlaying = usePlayerState((state) => state.status === 'playing' || state.status === 'loading')
  return useCallback(
    (song, index) => ({
      song,
      index,
      rowCount,
      numbered,
      contextId: getContextId(song),
      playback: song.youtube_id === songId ? (isPlaying ? 'playing' : 'paused') : undefined,
    }),
    [rowCount, getContextId, numbered, songId, isPlaying],
  )
}
