import type { Song } from '../../../contract/song.ts'
import { parseVideoId } from '../../../contract/youtube.ts'
import type { FavoriteEntry } from '../../bindings/favorite-list.ts'
import { type CsvRow, parseCsv, restore, toCsv } from './csv.ts'

/** The most bytes of a file that is read. */
export const FILE_BYTES_MAX = 10_000_000

export interface FileSong {
  songId: string
  /** As the file has it; empty where it says none. */
  title: string
}

export interface FavoritesFile {
  /** In the file's order, each once. */
  songs: readonly FileSong[]
  /** Where something stands that names no song, from 1: lines of a table, entries of JSON. */
  unreadable: readonly number[]
  unit: 'line' | 'entry'
}

interface ExportRow {
  youtube_id: string
  title: string
  author_name: string
  added: string
}

/** Oldest first, so that who reads it from above adds them in the order they were added in. */
function exportRows(entries: readonly FavoriteEntry[], songs: readonly Song[]): ExportRow[] {
  const known = new Map(songs.map((song) => [song.youtube_id, song]))
  return [...entries].reverse().map(({ songId, atMs }) => ({
    youtube_id: songId,
    title: known.get(songId)?.title ?? '',
    author_name: known.get(songId)?.author_name ?? '',
    added: new Date(atMs).toISOString(),
  }))
}

export const toJsonFile = (entries: readonly FavoriteEntry[], songs: readonly Song[]): string =>
  `${JSON.stringify({ favorites: exportRows(entries, songs) }, null, 2)}\n`

/** With the mark by which spreadsheets know the encoding. */
export const toCsvFile = (entries: readonly FavoriteEntry[], songs: readonly Song[]): string =>
  `\u{FEFF}${toCsv([
    ['youtube_id', 'title', 'author_name', 'added'],
    ...exportRows(entries, songs).map((row) => [row.youtube_id, row.title, row.author_name, row.added]),
  ])}`

/** What a file of ours, or of somebody else, names: JSON or a table. `undefined` where it names no song. */
export function readFavoritesFile(text: string): FavoritesFile | undefined {
  const content = text.replace(/^\u{FEFF}/u, '')
  const read = /^\s*[[{]/.test(content) ? readJson(content) : readTable(parseCsv(content))
  return read && read.songs.length > 0 ? read : undefined
}

/** From the bytes of a file: UTF-8, or UTF-16 where it says so. */
export function decodeText(bytes: Uint8Array): string {
  const wide = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined
  return new TextDecoder(wide ?? 'utf-8').decode(bytes)
}

type Read = FileSong | undefined

function collect(read: Iterable<readonly [number, Read]>, unit: FavoritesFile['unit']): FavoritesFile {
  const songs = new Map<string, FileSong>()
  const unreadable: number[] = []
  for (const [place, song] of read) {
    if (!song) unreadable.push(place)
    else if (!songs.has(song.songId)) songs.set(song.songId, song)
  }
  return { songs: [...songs.values()], unreadable, unit }
}

const ID_NAMES = ['youtube_id', 'youtube_url', 'video_id', 'videoid', 'video id', 'video url', 'url', 'link', 's', 'id', 'video']
const TITLE_NAMES = ['title', 'name', 'song', 'track']

function readTable(rows: readonly CsvRow[]): FavoritesFile {
  const names = rows[0]?.cells.map((cell) => cell.trim().toLowerCase()) ?? []
  const isHeader = names.some((name) => ID_NAMES.includes(name))
  const columnsOf = (wanted: readonly string[]) => wanted.map((name) => names.indexOf(name)).filter((column) => column >= 0)
  const idColumns = isHeader ? columnsOf(ID_NAMES) : undefined
  const titleColumn = isHeader ? columnsOf(TITLE_NAMES)[0] : undefined
  const read = (isHeader ? rows.slice(1) : rows).map(({ cells, line }): [number, Read] => {
    const candidates = idColumns?.map((column) => cells[column] ?? '') ?? cells
    const title = titleColumn === undefined ? '' : restore(cells[titleColumn] ?? '')
    return [line, firstSong(candidates.map(restore), title)]
  })
  return collect(read, 'line')
}

function firstSong(candidates: readonly string[], title: string): Read {
  for (const candidate of candidates) {
    const songId = parseVideoId(candidate)
    if (songId !== undefined) return { songId, title }
  }
  return undefined
}

function readJson(content: string): FavoritesFile | undefined {
  let value: unknown
  try {
    value = JSON.parse(content)
  } catch {
    return undefined
  }
  const list = findList(value, 3)
  return (
    list &&
    collect(
      list.map((each, index) => [index + 1, jsonSong(each)]),
      'entry',
    )
  )
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The first list of songs, wherever it lies: favorites before others. */
function findList(value: unknown, depth: number): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value.some((each) => jsonSong(each)) ? value : undefined
  if (!isRecord(value) || depth === 0) return undefined
  for (const member of [value.favorites, value.songs, ...Object.values(value)]) {
    const found = findList(member, depth - 1)
    if (found) return found
  }
  return undefined
}

function jsonSong(value: unknown, depth = 2): Read {
  if (typeof value === 'string') return firstSong([value], '')
  if (!isRecord(value)) return undefined
  const members = new Map(Object.entries(value).map(([name, member]) => [name.toLowerCase(), member]))
  const texts = (names: readonly string[]) => names.map((name) => members.get(name)).filter((each) => typeof each === 'string')
  return (
    firstSong(texts(ID_NAMES), texts(TITLE_NAMES)[0] ?? '') ??
    (isRecord(value.song) && depth > 0 ? jsonSong(value.song, depth - 1) : undefined)
  )
}

export interface ImportPlan {
  /** Of the file, in its order, what is no favorite yet. */
  added: readonly FileSong[]
  /** How many of the file are favorites already. */
  already: number
  /** The favorites that the file does not name, oldest first. */
  others: readonly string[]
}

export function planImport(file: FavoritesFile, entries: readonly FavoriteEntry[]): ImportPlan {
  const here = new Set(entries.map(({ songId }) => songId))
  const named = new Set(file.songs.map(({ songId }) => songId))
  const added = file.songs.filter(({ songId }) => !here.has(songId))
  return {
    added,
    already: file.songs.length - added.length,
    others: entries.flatMap(({ songId }) => (named.has(songId) ? [] : [songId])).reverse(),
  }
}
