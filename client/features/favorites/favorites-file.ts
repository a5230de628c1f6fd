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

const ID_HEADINGS = ['youtube id', 'youtube url', 'video id', 'videoid', 'video url', 'titleurl', 'url', 'link', 's', 'id', 'video']
const TITLE_HEADINGS = ['title', 'name', 'song', 'track']

/** Returns a column heading in lower case, without accents and punctuation, for comparisons: `Video-ID` and `video_id` become equal. */
const foldHeading = (heading: string): string =>
  heading
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

function readTable(rows: readonly CsvRow[]): FavoritesFile {
  const columnNames = rows[0]?.cells.map(foldHeading) ?? []
  if (!columnNames.some((name) => ID_HEADINGS.includes(name))) return readTableWithoutHeadings(rows)
  const findColumns = (headings: readonly string[]) => headings.map((name) => columnNames.indexOf(name)).filter((column) => column >= 0)
  const idColumns = findColumns(ID_HEADINGS)
  const titleColumn = findColumns(TITLE_HEADINGS)[0]
  const entries = rows.slice(1).map(({ cells, lineNumber }): [position: number, song: ParsedEntry] => {
    const title = titleColumn === undefined ? '' : unescapeFormula(cells[titleColumn] ?? '')
    return [
      lineNumber,
      findSong(
        idColumns.map((column) => unescapeFormula(cells[column] ?? '')),
        title,
      ),
    ]
  })
  return collectSongs(entries, 'line')
}

/** The maximum number of columns that are searched for ids. */
const COLUMNS_MAX = 20

const isVideoLink = (cell: string): boolean => cell.includes('/') && parseVideoId(cell) !== undefined

/**
 * Reads a table without a known heading: the column with the most links, or else with the most ids, because a title of eleven letters looks like an
 * id. A first row without a song is a row of unknown headings.
 */
function readTableWithoutHeadings(rows: readonly CsvRow[]): FavoritesFile {
  const columnCount = rows.reduce((most, { cells }) => Math.min(COLUMNS_MAX, Math.max(most, cells.length)), 0)
  const countRows = (column: number, matches: (cell: string) => boolean) => rows.filter(({ cells }) => matches(cells[column] ?? '')).length
  const scores = Array.from({ length: columnCount }, (_, column) => [
    countRows(column, isVideoLink),
    countRows(column, (cell) => parseVideoId(cell) !== undefined),
  ])
  const score = ([links = 0, ids = 0]: readonly number[] = []) => links * (rows.length + 1) + ids
  const idColumn = scores.reduce((best, each, column) => (score(each) > score(scores[best]) ? column : best), 0)
  const entries = rows.map(({ cells, lineNumber }): [position: number, song: ParsedEntry] => [
    lineNumber,
    findSong([cells[idColumn] ?? '', ...cells.filter(isVideoLink)].map(unescapeFormula), ''),
  ])
  const hasHeadings = columnCount > 1 && entries.length > 1 && entries[0]?.[1] === undefined
  return collectSongs(hasHeadings ? entries.slice(1) : entries, 'line')
}

function findSong(idCandidates: readonly string[], title: string): ParsedEntry {
  for (const candidate of idCandidates) {
    const songId = parseVideoId(candidate)
    if (songId !== undefined) return { songId, title }
  }
  return undefined
}

/** Parses a JSON document, or text in which each line is a JSON document, as in the exports of FreeTube. @throws SyntaxError */
function parseJsonOrLines(content: string): unknown {
  try {
    return JSON.parse(content)
  } catch {
    return content
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line): unknown => JSON.parse(line))
  }
}

function readJson(content: string): FavoritesFile | undefined {
  let parsedJson: unknown
  try {
    parsedJson = parseJsonOrLines(content)
  } catch {
    return undefined
  }
  const songList = findSongList(parsedJson, 6)
  return (
    songList &&
    collectSongs(
      songList.map((each, index) => [index + 1, parseJsonSong(each)]),
      'entry',
    )
  )
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * The names of JSON members in which other apps list watched videos. They are ignored, because nobody has chosen these videos as favorites.
 */
const HISTORY_MEMBER = /history/i

/**
 * Returns the first list that contains songs, up to `depth` levels deep. Members named `favorites` and `songs` take precedence, then all playlists
 * together (Invidious, Piped, LibreTube, FreeTube).
 */
function findSongList(value: unknown, depth: number): readonly unknown[] | undefined {
  if (depth === 0) return undefined
  if (Array.isArray(value)) {
    if (value.some((each) => parseJsonSong(each))) return value
    const songs = value.flatMap((each) => findSongList(each, depth - 1) ?? [])
    return songs.length > 0 ? songs : undefined
  }
  if (!isRecord(value)) return undefined
  const playlists = [value.playlists, value.localPlaylists].filter(Array.isArray).flat()
  const others = Object.entries(value).flatMap(([name, member]) => (HISTORY_MEMBER.test(name) ? [] : [member]))
  for (const member of [value.favorites, value.songs, playlists, ...others]) {
    const foundList = findSongList(member, depth - 1)
    if (foundList) return foundList
  }
  return undefined
}

function parseJsonSong(value: unknown, depth = 2): ParsedEntry {
  if (typeof value === 'string') return findSong([value], '')
  if (!isRecord(value)) return undefined
  const members = new Map(Object.entries(value).map(([name, member]) => [foldHeading(name), member]))
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
