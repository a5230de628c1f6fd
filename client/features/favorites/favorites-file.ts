import type { Song } from '../../../contract/song.ts'
import { parseVideoId } from '../../../contract/youtube.ts'
import { type CsvRow, parseCsv, toCsv, unescapeFormula } from './csv.ts'
import type { FavoriteEntry } from './use-favorite-list.ts'

/** Maximum size of a file that can be imported, in bytes. */
export const FILE_BYTES_MAX = 10_000_000

export interface FileSong {
  songId: string
  /** The song's title in the file; empty if there is none. */
  title: string
}

export interface FavoritesFile {
  /** The songs of the file in order, without duplicates. */
  songs: readonly FileSong[]
  /** The positions of entries without a song id, from 1: lines of a table, or entries of a JSON list. */
  unreadablePositions: readonly number[]
  unit: 'line' | 'entry'
}

interface ExportRow {
  youtube_id: string
  title: string
  author_name: string
  added: string
}

/** Returns the rows of an export, oldest first: importing them from top to bottom restores the order. */
function exportRows(entries: readonly FavoriteEntry[], songs: readonly Song[]): ExportRow[] {
  const songsById = new Map(songs.map((song) => [song.youtube_id, song]))
  return [...entries].reverse().map(({ songId, atMs }) => ({
    youtube_id: songId,
    title: songsById.get(songId)?.title ?? '',
    author_name: songsById.get(songId)?.author_name ?? '',
    added: new Date(atMs).toISOString(),
  }))
}

export const toJsonFile = (entries: readonly FavoriteEntry[], songs: readonly Song[]): string =>
  `${JSON.stringify({ favorites: exportRows(entries, songs) }, null, 2)}\n`

/** Formats favorites as CSV, with the byte order mark by which spreadsheets detect UTF-8. */
export const toCsvFile = (entries: readonly FavoriteEntry[], songs: readonly Song[]): string =>
  `\u{FEFF}${toCsv([
    ['youtube_id', 'title', 'author_name', 'added'],
    ...exportRows(entries, songs).map((row) => [row.youtube_id, row.title, row.author_name, row.added]),
  ])}`

/** Reads the songs of a JSON or CSV file, exported by this site or another app. Returns `undefined` if the file contains no song. */
export function readFavoritesFile(text: string): FavoritesFile | undefined {
  const content = text.replace(/^\u{FEFF}/u, '')
  const file = /^\s*[[{]/.test(content) ? readJson(content) : readTable(parseCsv(content))
  return file && file.songs.length > 0 ? file : undefined
}

/** Decodes a file as UTF-8, or as UTF-16 if it starts with the byte order mark of UTF-16. */
export function decodeText(bytes: Uint8Array): string {
  const utf16 = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined
  return new TextDecoder(utf16 ?? 'utf-8').decode(bytes)
}

/** A song of the file, or undefined for an entry without a song id. */
type ParsedEntry = FileSong | undefined

function collectSongs(entries: Iterable<readonly [position: number, song: ParsedEntry]>, unit: FavoritesFile['unit']): FavoritesFile {
  const songs = new Map<string, FileSong>()
  const unreadablePositions: number[] = []
  for (const [position, song] of entries) {
    if (!song) unreadablePositions.push(position)
    else if (!songs.has(song.songId)) songs.set(song.songId, song)
  }
  return { songs: [...songs.values()], unreadablePositions, unit }
}

const ID_HEADINGS = ['youtube_id', 'youtube_url', 'video_id', 'videoid', 'video id', 'video url', 'url', 'link', 's', 'id', 'video']
const TITLE_HEADINGS = ['title', 'name', 'song', 'track']

function readTable(rows: readonly CsvRow[]): FavoritesFile {
  const columnNames = rows[0]?.cells.map((cell) => cell.trim().toLowerCase()) ?? []
  const isHeader = columnNames.some((name) => ID_HEADINGS.includes(name))
  const findColumns = (headings: readonly string[]) => headings.map((name) => columnNames.indexOf(name)).filter((column) => column >= 0)
  const idColumns = isHeader ? findColumns(ID_HEADINGS) : undefined
  const titleColumn = isHeader ? findColumns(TITLE_HEADINGS)[0] : undefined
  const entries = (isHeader ? rows.slice(1) : rows).map(({ cells, lineNumber }): [position: number, song: ParsedEntry] => {
    const idCandidates = idColumns?.map((column) => cells[column] ?? '') ?? cells
    const title = titleColumn === undefined ? '' : unescapeFormula(cells[titleColumn] ?? '')
    return [lineNumber, findSong(idCandidates.map(unescapeFormula), title)]
  })
  return collectSongs(entries, 'line')
}

function findSong(idCandidates: readonly string[], title: string): ParsedEntry {
  for (const candidate of idCandidates) {
    const songId = parseVideoId(candidate)
    if (songId !== undefined) return { songId, title }
  }
  return undefined
}

function readJson(content: string): FavoritesFile | undefined {
  let parsedJson: unknown
  try {
    parsedJson = JSON.parse(content)
  } catch {
    return undefined
  }
  const songList = findSongList(parsedJson, 3)
  return (
    songList &&
    collectSongs(
      songList.map((each, index) => [index + 1, parseJsonSong(each)]),
      'entry',
    )
  )
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the first list that contains songs, up to `depth` levels deep; members named `favorites` and `songs` take precedence. */
function findSongList(value: unknown, depth: number): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value.some((each) => parseJsonSong(each)) ? value : undefined
  if (!isRecord(value) || depth === 0) return undefined
  for (const member of [value.favorites, value.songs, ...Object.values(value)]) {
    const foundList = findSongList(member, depth - 1)
    if (foundList) return foundList
  }
  return undefined
}

function parseJsonSong(value: unknown, depth = 2): ParsedEntry {
  if (typeof value === 'string') return findSong([value], '')
  if (!isRecord(value)) return undefined
  const members = new Map(Object.entries(value).map(([name, member]) => [name.toLowerCase(), member]))
  const textMembers = (names: readonly string[]) => names.map((name) => members.get(name)).filter((each) => typeof each === 'string')
  return (
    findSong(textMembers(ID_HEADINGS), textMembers(TITLE_HEADINGS)[0] ?? '') ??
    (isRecord(value.song) && depth > 0 ? parseJsonSong(value.song, depth - 1) : undefined)
  )
}

export interface ImportPlan {
  /** The songs of the file that are not favorites yet, in file order. */
  added: readonly FileSong[]
  /** Number of songs of the file that are favorites already. */
  existingCount: number
  /** The ids of the favorites that are not in the file, oldest first. */
  missingSongIds: readonly string[]
}

export function planImport(file: FavoritesFile, entries: readonly FavoriteEntry[]): ImportPlan {
  const favoriteIds = new Set(entries.map(({ songId }) => songId))
  const fileIds = new Set(file.songs.map(({ songId }) => songId))
  const addedSongs = file.songs.filter(({ songId }) => !favoriteIds.has(songId))
  return {
    added: addedSongs,
    existingCount: file.songs.length - addedSongs.length,
    missingSongIds: entries.flatMap(({ songId }) => (fileIds.has(songId) ? [] : [songId])).reverse(),
  }
}
