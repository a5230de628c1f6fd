import { toSongName } from '../../../contract/file-name.ts'
import { PLAYLISTS_LOADING_TEXT } from '../../data/own-playlists-loading.ts'
import { type ExportablePlaylist, toPlaylistCsv, toPlaylistM3u8, toPlaylistsJson } from '../../data/song-files/write-playlist.ts'
import type { OwnPlaylistContent } from '../../hooks/own-playlists.ts'
import { saveFile } from '../../platform/save-file.ts'

/** The formats of exported playlists: their media types, and the functions that write them. */
const fileFormats = {
  csv: { type: 'text/csv;charset=utf-8', write: toPlaylistCsv },
  m3u8: { type: 'application/vnd.apple.mpegurl', write: toPlaylistM3u8 },
  json: { type: 'application/json', write: (playlist: ExportablePlaylist) => toPlaylistsJson([playlist]) },
} as const

export type PlaylistFormat = keyof typeof fileFormats

/**
 * Downloads a playlist as a file. Songs whose rows this device does not have are written as ids. Throws a `RangeError` with the text to show while this
 * device still fetches the songs of the playlist.
 */
export function savePlaylist(format: PlaylistFormat, { summary, entries, songById }: OwnPlaylistContent): void {
  if (summary.isPartial) throw new RangeError(PLAYLISTS_LOADING_TEXT)
  const { type, write } = fileFormats[format]
  const songs = entries.map(({ songId }) => songById.get(songId) ?? { youtube_id: songId })
  saveFile(`${toSongName(`${summary.title}.${format}`)}.${format}`, new Blob([write({ ...summary, songs })], { type }))
}
