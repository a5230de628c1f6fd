import { useCallback } from 'react'
import type { Song } from '../../../contract/song.ts'
import { usePlayerState } from '../../bindings/player.tsx'
import type { SongRowProps } from './song-row.tsx'

interface RowPropsOf {
  /** What a song is played in: a playlist or category id, or 'favorite'. */
  contextOf: (song: Song) => string
  /** How many rows the list has; -1 where that is not known yet. */
  count: number
  numbered: boolean
}

/** What a list says of each of its rows. */
export function useRowProps({ contextOf, count, numbered }: RowPropsOf): (song: Song, index: number) => Omit<SongRowProps, 'topPx'> {
  const songId = usePlayerState((state) => state.songId)
  const playing = usePlayerState((state) => state.status === 'playing' || state.status === 'loading')
  return useCallback(
    (song, index) => ({
      ...{ song, index, count, numbered },
      contextId: contextOf(song),
      now: song.youtube_id === songId ? (playing ? 'playing' : 'paused') : undefined,
    }),
    [count, contextOf, numbered, songId, playing],
  )
}
