import { parseVideoId } from '../../../contract/youtube.ts'

/** A song in a file, identified by the id of its video, or else by its title. */
export interface FileSong {
  /** The position in the file, from 1, counted in the `unit` of the file. */
  readonly position: number
  readonly songId?: string
  /** The title and the artist in the file; empty if the file has none. */
  readonly title: string
  readonly artist: string
}

export interface FilePlaylist {
  /** The name of the playlist; empty if the file has none. */
  readonly title: string
  readonly description: string
  readonly songs: readonly FileSong[]
}

/** The playlists in a file that was written by another program or by this site. */
export interface SongFile {
  readonly playlists: readonly FilePlaylist[]
  /** The positions of entries that name no song, from 1. */
  readonly unreadablePositions: readonly number[]
  /** The unit in which positions are counted: lines of a table, or entries of a JSON list. */
  readonly unit: 'line' | 'entry'
}

/** Decodes a file as UTF-16 if it has the byte order mark of UTF-16, else as UTF-8, or as Windows-1252 if it is not valid UTF-8. */
export function decodeText(bytes: Uint8Array): string {
  const utf16Label = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined
  if (utf16Label !== undefined) return new TextDecoder(utf16Label).decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** Matches URL paths of videos at instances of Piped and Invidious, which run on arbitrary hosts. */
const WATCH_PATH_PATTERN = /^\/watch$/

/** Returns the video id in a text, which is the id itself, or the URL of a video at YouTube or at an instance of Piped or Invidious. */
export function parseFileVideoId(linkText: string): string | undefined {
  const songId = parseVideoId(linkText)
  if (songId !== undefined || !/^https?:\/\//i.test(linkText.trim()) || !URL.canParse(linkText.trim())) return songId
  const url = new URL(linkText.trim())
  return WATCH_PATH_PATTERN.test(url.pathname) ? parseVideoId(url.searchParams.get('v') ?? '') : undefined
}

/**
 * Returns whether a text is a word, a number, or several of them joined by hyphens, such as a genre. It could be a video id but is more likely none: ids
 * mix cases, digits and signs.
 */
const isPlainWord = (text: string): boolean =>
  text
    .trim()
    .split(/[-_]/)
    .every((part) => /^(?:\p{Lu}?\p{Ll}+|\p{Lu}+|\d+)$/u.test(part))

/** Returns whether a text of unknown meaning is probably a video id or the URL of a video. */
export const looksLikeVideoIdOrAddress = (text: string): boolean => !isPlainWord(text) && parseFileVideoId(text) !== undefined

/** Returns a name of a column or member in lower case, without accents and punctuation: `Video-ID` and `video_id` become equal. */
export const foldFieldName = (fieldName: string): string =>
  fieldName
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** The folded names of the columns and JSON members that hold ids, titles and artists, the most reliable names first. */
export const ID_FIELD_NAMES = [
  'youtube id',
  'youtube url',
  'video id',
  'id video',
  'videoid',
  'video url',
  'song url',
  'titleurl',
  'url',
  'link',
  's',
  'id',
  'video',
]
export const TITLE_FIELD_NAMES = ['title', 'track name', 'song title', 'song name', 'name', 'song', 'track']
export const ARTIST_FIELD_NAMES = [
  'artist name s',
  'artist names',
  'artist name',
  'artist name 1',
  'artists',
  'artist',
  'author name',
  'author',
  'uploader',
  'uploadername',
  'channel',
]

const CHARACTER_BY_ENTITY_NAME: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', ' '],
])

/** Replaces the character references of HTML that exporters write into titles. Unknown ones stay. */
export const decodeEntities = (htmlText: string): string =>
  htmlText.replace(
    /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]{2,5}));/gi,
    (reference, hexDigits?: string, decimalDigits?: string, entityName?: string) => {
      if (entityName !== undefined) return CHARACTER_BY_ENTITY_NAME.get(entityName.toLowerCase()) ?? reference
      const codePoint = hexDigits === undefined ? Number(decimalDigits) : Number.parseInt(hexDigits, 16)
      return codePoint > 0 && codePoint <= 0x10ffff ? String.fromCodePoint(codePoint) : reference
    },
  )
