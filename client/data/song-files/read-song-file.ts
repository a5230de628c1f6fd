import { parseCsv } from './csv.ts'
import { type JsonFileOptions, readJsonFile } from './json-file.ts'
import { isM3u, readM3u } from './m3u-file.ts'
import { decodeText, type SongFile } from './song-file.ts'
import { readTable } from './table-file.ts'

/** Maximum size of a file that can be imported, in megabytes. A table of 20,000 songs with all columns of Exportify has 11 MB. */
const FILE_MEGABYTES_MAX = 50

/** Returns the message that a file is too large to be imported. */
export const formatTooLargeMessage = (fileName: string): string => `${fileName} is larger than ${FILE_MEGABYTES_MAX} MB.`

/** Reads the text of a file of at most `FILE_MEGABYTES_MAX`. Resolves with `undefined` for a file that cannot be read. */
export async function readFileText(file: File): Promise<{ text: string } | 'too-large' | undefined> {
  if (file.size > FILE_MEGABYTES_MAX * 1_000_000) return 'too-large'
  const bytes = await file.arrayBuffer().catch(() => undefined)
  return bytes && { text: decodeText(new Uint8Array(bytes)) }
}

/**
 * Reads the songs of a file: a table (YouTube's export, Exportify, TuneMyMusic, Soundiiz or the like), JSON (Piped, Invidious, FreeTube,
 * LibreTube), an M3U playlist, a list of addresses, or a file that this site has exported. A playlist without a name in the file gets
 * `fileName` as its name. Returns `undefined` if the file has no song. A history of watched videos counts as having no songs, because its
 * videos were not chosen for a playlist.
 */
export function readSongFile(fileText: string, fileName: string, options?: JsonFileOptions): SongFile | undefined {
  const trimmedContent = fileText.replace(/^\u{FEFF}/u, '')
  const songFile = /^\s*[[{]/.test(trimmedContent)
    ? readJsonFile(trimmedContent, options)
    : isM3u(trimmedContent, fileName)
      ? readM3u(trimmedContent)
      : readTable(parseCsv(trimmedContent))
  if (!songFile || songFile.playlists.every(({ songs }) => songs.length === 0)) return undefined
  const title = toTitle(fileName, isListOfIds(songFile))
  return { ...songFile, playlists: songFile.playlists.map((playlist) => ({ ...playlist, title: playlist.title.trim() || title })) }
}

/** The words for videos that YouTube's export appends to the name of a playlist, in the language of the account. */
const VIDEO_WORDS =
  "v[ií]d[eé]os?|video's|videoer|videor|videot|videa|videók|videolar|videoclipuri|videozapisi|filmy|видео|видеоклипове|відео|βίντεο|فيديوهات|סרטונים|動画|影片|视频|동영상|วิดีโอ"
/** Matches such a word after a hyphen, or after a space in British English, American Spanish and Japanese; not the list of liked videos. */
const VIDEOS_SUFFIX = new RegExp(`(?:-(?:${VIDEO_WORDS})|(?<!^Liked) videos| の動画)(?=\\.csv$)`, 'iu')

/** Returns whether a file has ids without titles, like the tables of playlists in YouTube's export. */
const isListOfIds = ({ playlists }: SongFile): boolean =>
  playlists.every(({ songs }) => songs.every(({ songId, title }) => songId !== undefined && title === ''))

/** Returns the title for a file's name: without its folder and extension, and for YouTube's export, without the word that it appends. */
function toTitle(filePath: string, isYoutubeTable: boolean): string {
  const fileName = (filePath.split(/[/\\]/).at(-1) ?? '').normalize('NFC')
  return (isYoutubeTable ? fileName.replace(VIDEOS_SUFFIX, '') : fileName).replace(/\.[a-z0-9]{1,5}$/i, '').trim()
}
