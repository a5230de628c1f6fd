import { useCallback } from 'react'
import type { Song } from '../../../contract/song.ts'
import { songSorts } from '../../../contract/sort-orders.ts'
import type { SearchQuery } from '../../data/song-text-index.ts'
import { createSongPath, useNavigateTo } from '../../hooks/paths.ts'
import { useServices } from '../../hooks/services.tsx'
import { splitByArtist } from './artist-songs.ts'

/** The maximum number of songs that are queued. */
const QUEUED_SONGS_MAX = 200

/** The loaded songs of a search, and whether the search has no further songs. */
interface FoundSongs {
  /** The songs to play. */
  songs: readonly Song[]
  complete: boolean
}

/**
 * Returns the function that opens the first song of a search and queues the others in place of the current queue. Songs that are not loaded
 * yet are requested; if the request fails, only the loaded songs are queued. Nothing is queued if another song was opened meanwhile.
 */
export function usePlayAll(query: SearchQuery): (found: FoundSongs) => void {
  const { api, catalogue, player } = useServices()
  const navigateTo = useNavigateTo()
  return useCallback(
    ({ songs: loadedSongs, complete }) => {
      const [firstSong] = loadedSongs
      if (!firstSong) return
      player.clearQueue()
      player.open({ songId: firstSong.youtube_id, contextId: firstSong.category_id })
      catalogue.noteSong(firstSong)
      navigateTo(createSongPath(firstSong.youtube_id, firstSong.category_id))
      const queueOtherSongs = (songs: readonly Song[]) => {
        if (player.getSnapshot().songId !== firstSong.youtube_id) return
        for (const song of songs) if (song.youtube_id !== firstSong.youtube_id) player.enqueue(song)
      }
      if (complete) return queueOtherSongs(loadedSongs.slice(0, QUEUED_SONGS_MAX))
      const queueInput = {
        s: query.text,
        ...songSorts[query.sort],
        ...(query.artist ? { type: 'artist' as const } : {}),
        limit: QUEUED_SONGS_MAX,
      }
      const selectSongsToPlay = (results: Song[]) => (query.artist ? splitByArtist(results, query.text).songs : results)
      api.call('GET /song/search', queueInput).then(
        (results) => queueOtherSongs(selectSongsToPlay(results)),
        () => queueOtherSongs(loadedSongs),
      )
    },
    [api, catalogue, player, navigateTo, query],
  )
}
