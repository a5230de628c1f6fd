import type { PlaylistWithSongs } from '../../contract/playlist.ts'
import type { Song, SongDetail } from '../../contract/song.ts'
import { summary } from './markup.ts'

/** schema.org descriptions of pages, as search engines read them. URLs are absolute. */
const CONTEXT = 'https://schema.org'

const isoDuration = (seconds: number | undefined) => (seconds === undefined ? {} : { duration: `PT${seconds}S` })
const songUrl = (origin: string, song: { youtube_id: string }) => `${origin}/song?s=${song.youtube_id}`

export const websiteData = (origin: string, name: string, description: string) => ({
  '@context': CONTEXT,
  '@type': 'WebSite',
  name,
  description,
  url: `${origin}/`,
  potentialAction: {
    '@type': 'SearchAction',
    target: { '@type': 'EntryPoint', urlTemplate: `${origin}/search?q={search_term_string}` },
    'query-input': 'required name=search_term_string',
  },
})

export const breadcrumbData = (origin: string, steps: { name: string; path: string }[]) => ({
  '@context': CONTEXT,
  '@type': 'BreadcrumbList',
  itemListElement: steps.map((step, index) => ({ '@type': 'ListItem', position: index + 1, name: step.name, item: origin + step.path })),
})

const recording = (origin: string, song: Song) => ({
  '@type': 'MusicRecording',
  name: song.title,
  byArtist: { '@type': 'MusicGroup', name: song.author_name },
  url: songUrl(origin, song),
  ...isoDuration(song.duration),
})

export function songData(origin: string, song: SongDetail, image: string): Record<string, unknown>[] {
  return [
    { '@context': CONTEXT, ...recording(origin, song), genre: song.category_name, image },
    {
      '@context': CONTEXT,
      '@type': 'VideoObject',
      name: song.title,
      description: summary(song.description, 500) || `${song.title} by ${song.author_name}`,
      thumbnailUrl: image,
      uploadDate: song.date_added,
      embedUrl: `https://www.youtube.com/embed/${song.youtube_id}`,
      ...isoDuration(song.duration),
    },
  ]
}

export const playlistData = (origin: string, { playlist, songs }: PlaylistWithSongs, image: string) => ({
  '@context': CONTEXT,
  '@type': 'MusicPlaylist',
  name: playlist.title,
  description: playlist.description,
  url: `${origin}/playlist?p=${encodeURIComponent(playlist.id)}`,
  image,
  numTracks: playlist.song_count,
  track: songs.map((song) => recording(origin, song)),
})
