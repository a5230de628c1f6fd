import type { Member } from '../../../contract/community.ts'
import type { Playlist } from '../../../contract/playlist.ts'
import type { Song } from '../../../contract/song.ts'

export const createTestSong = (index: number, overrides: Partial<Song> = {}): Song => {
  const songId = `song${String(index).padStart(7, '0')}`
  return {
    youtube_id: songId,
    youtube_url: `https://www.youtube.com/watch?v=${songId}`,
    title: `Song ${index}`,
    author_name: 'Kirano',
    category_id: 'dance',
    category_name: 'Dance',
    date_added: `2026-01-${String((index % 28) + 1).padStart(2, '0')}T00:00:00.000Z`,
    new: 'false',
    ...overrides,
  }
}

export const createTestPlaylist = (playlistId: string, overrides: Partial<Playlist> = {}): Playlist => ({
  id: playlistId,
  title: playlistId.toUpperCase(),
  category_id: 'dance',
  category_name: 'Dance',
  description: '',
  description_url: '',
  youtube_url: '',
  special: false,
  image_url: `/img/playlist/${playlistId}`,
  thumbnail: '',
  url: `/playlist?p=${playlistId}`,
  song_count: 3,
  ...overrides,
})

export const createTestMember = (index: number, overrides: Partial<Member> = {}): Member => ({
  channel_id: `UC${index}`,
  channel_name: `Member ${index}`,
  channel_pic: `/img/member/UC${index}`,
  sub_tag: '',
  testimonial: '',
  subs: 10_000 - index,
  views: 5,
  ...overrides,
})
