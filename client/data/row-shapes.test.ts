import { expect, it } from 'vitest'
import type { SongDetail } from '../../contract/song.ts'
import { toSongRow } from './row-shapes.ts'
import { createTestSong } from './testing/rows.ts'

it('row shapes: a stored song has the members of a song in a list, and none that only the song page has', () => {
  const song = createTestSong(1, { duration: 200, author_channel_id: 'UC1' })
  const detail: SongDetail = {
    ...song,
    description: 'About',
    context_id: 'dance',
    context_title: 'Dance',
    first_song: song.youtube_id,
    next: song.youtube_id,
    next_title: song.title,
    favorite: false,
  }
  expect(toSongRow(detail)).toEqual(song)
  expect(toSongRow(createTestSong(2))).toEqual(createTestSong(2))
})
