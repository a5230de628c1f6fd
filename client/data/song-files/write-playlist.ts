import type { Song } from '../../../contract/song.ts'
import { createWatchUrl } from '../../../contract/youtube.ts'
import { toCsv } from './csv.ts'

/** A playlist with its songs, in order. A song whose row this device does not have is only an id. */
export interface ExportablePlaylist {
  readonly title: string
  readonly description: string
  readonly songs: readonly (Pick<Song, 'youtube_id'> & Partial<Song>)[]
}

/**
 * Writes a playlist as CSV, with the byte order mark by which spreadsheets detect UTF-8. Every row has the playlist's name, because a table can have several
 * playlists; only the first has the description, which can be long.
 */
export const toPlaylistCsv = ({ title: playlistTitle, description, songs }: ExportablePlaylist): string =>
  `\u{FEFF}${toCsv([
    ['youtube_id', 'title', 'author_name', 'duration', 'playlist_name', 'playlist_description'],
    ...songs.map(({ youtube_id, title = '', author_name = '', duration }, index) => [
      ...[youtube_id, title, author_name, String(duration ?? '')],
      ...[playlistTitle, index === 0 ? description : ''],
    ]),
  ])}`

/** Writes a playlist as M3U8: the addresses of the videos, with lengths in seconds and names. */
export const toPlaylistM3u8 = ({ title, songs }: ExportablePlaylist): string =>
  [
    '#EXTM3U',
    `#PLAYLIST:${toOneLine(title)}`,
    ...songs.flatMap((song) => [`#EXTINF:${song.duration ?? -1},${formatSongName(song)}`, createWatchUrl(song.youtube_id)]),
    '',
  ].join('\n')

/** Writes playlists as JSON, which an import reads back with titles, descriptions and songs. */
export const toPlaylistsJson = (playlists: readonly ExportablePlaylist[]): string =>
  `${JSON.stringify(
    {
      playlists: playlists.map(({ title, description, songs }) => ({
        title,
        description,
        songs: songs.map((song) => ({ youtube_id: song.youtube_id, title: song.title ?? '', author_name: song.author_name ?? '' })),
      })),
    },
    null,
    2,
  )}\n`

const toOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()
const formatSongName = ({ author_name = '', title = '' }: Partial<Song>): string =>
  toOneLine(author_name === '' ? title : `${author_name} - ${title}`)
