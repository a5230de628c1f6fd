import { type CsvRow, unescapeFormula } from './csv.ts'
import {
  ARTIST_FIELD_NAMES,
  decodeEntities,
  type FilePlaylist,
  type FileSong,
  foldFieldName,
  ID_FIELD_NAMES,
  looksLikeVideoIdOrAddress,
  parseFileVideoId,
  type SongFile,
  TITLE_FIELD_NAMES,
} from './song-file.ts'

/** How many rows at the start of a table are searched for headings. */
const HEADING_ROWS_MAX = 12
/** The maximum number of columns that are searched for ids. */
const SEARCHED_COLUMNS_MAX = 20
/** How many rows below known headings are searched for ids, because parsing every cell of a large table as an address takes seconds. */
const SEARCHED_ROWS_MAX = 1000
/** The headings by which tables of this site are recognized. */
const OWN_TABLE_HEADINGS = ['youtube id', 'author name']
const PLAYLIST_HEADINGS = ['playlist name', 'playlist title', 'playlist']
/** The heading of the column whose first text, among the rows of a playlist, is its description. */
const DESCRIPTION_HEADING = 'playlist description'

interface ColumnIndexes {
  idColumns: readonly number[]
  titleColumn: number
  artistColumn: number
  playlistColumn: number
  descriptionColumn: number
  /** Whether this site wrote the table. If so, HTML character references in its cells are literal text. */
  isOwnColumn: boolean
}

/** Reads a table that names the songs by id or by title and artist. Returns `undefined` if it has neither. */
export function readTable(rows: readonly CsvRow[]): SongFile | undefined {
  for (const [index, { cells }] of rows.slice(0, HEADING_ROWS_MAX).entries()) {
    const columns = readHeadings(cells)
    const rowsBelow = rows.slice(index + 1)
    if (columns) return readRows(rows.slice(0, index), rowsBelow, columns.idColumns.length > 0 ? columns : addIdColumn(rowsBelow, columns))
  }
  return readExportifyTable(rows) ?? readTableWithoutHeadings(rows)
}

/**
 * Reads a table of Exportify in any language by the addresses of tracks: the address is followed by the track's name, the addresses of the artists and
 * their names. In newer tables, the playlist's name precedes it.
 */
function readExportifyTable(rows: readonly CsvRow[]): SongFile | undefined {
  const trackRows = rows.slice(rows.findIndex(({ cells }) => cells.some((cell) => /^spotify:(?:track|local):/.test(cell))))
  for (const { cells } of trackRows.slice(0, HEADING_ROWS_MAX)) {
    const address = cells.findIndex((cell) => cell.startsWith('spotify:track:'))
    if (address >= 0 && cells[address + 2]?.startsWith('spotify:artist:'))
      return readRows([], trackRows, {
        idColumns: [],
        titleColumn: address + 1,
        artistColumn: address + 3,
        playlistColumn: address - 1,
        descriptionColumn: -1,
        isOwnColumn: false,
      })
  }
  return undefined
}

/**
 * Finds the columns of a row of headings. Returns `undefined` if the row has neither the heading of an id, nor those of a title and an
 * artist.
 */
function readHeadings(headingCells: readonly string[]): ColumnIndexes | undefined {
  const columnNames = headingCells.map(foldFieldName)
  const findColumn = (names: readonly string[]) => names.map((name) => columnNames.indexOf(name)).find((column) => column >= 0) ?? -1
  const idColumns = ID_FIELD_NAMES.map((name) => columnNames.indexOf(name)).filter((column) => column >= 0)
  const [titleColumn, artistColumn] = [findColumn(TITLE_FIELD_NAMES), findColumn(ARTIST_FIELD_NAMES)]
  if (idColumns.length === 0 && (titleColumn < 0 || artistColumn < 0)) return undefined
  // In tables of Exportify, the column `Name` has the playlist's name.
  const playlist = findColumn(columnNames.includes('track name') ? [...PLAYLIST_HEADINGS, 'name'] : PLAYLIST_HEADINGS)
  return {
    idColumns,
    titleColumn,
    artistColumn,
    playlistColumn: playlist,
    descriptionColumn: columnNames.indexOf(DESCRIPTION_HEADING),
    isOwnColumn: OWN_TABLE_HEADINGS.every((name) => columnNames.includes(name)),
  }
}

/**
 * Adds the column in which at least half of the rows have ids or addresses of videos. YouTube's table of the music library translates only the heading
 * of this column.
 */
function addIdColumn(rows: readonly CsvRow[], columns: ColumnIndexes): ColumnIndexes {
  const searchedRows = rows.slice(0, SEARCHED_ROWS_MAX)
  const column = findIdColumn(searchedRows, [columns.titleColumn, columns.artistColumn, columns.playlistColumn])
  const videoRows = searchedRows.filter(({ cells }) => looksLikeVideoIdOrAddress(unescapeFormula(cells[column] ?? '')))
  return column >= 0 && videoRows.length * 2 >= searchedRows.length ? { ...columns, idColumns: [column] } : columns
}

/**
 * Reads the rows below the headings. `preamble` contains the rows above the headings, such as the title and description of a YouTube
 * playlist.
 */
function readRows(preamble: readonly CsvRow[], rows: readonly CsvRow[], columns: ColumnIndexes): SongFile {
  const songsByPlaylist = new Map<string, FileSong[]>()
  const descriptionByPlaylist = new Map<string, string>()
  const unreadablePositions: number[] = []
  for (const { cells, lineNumber } of rows) {
    const readCell = (columnIndex: number) => {
      const text = unescapeFormula(cells[columnIndex] ?? '')
      return columns.isOwnColumn ? text : decodeEntities(text)
    }
    const song = toSong(
      lineNumber,
      columns.idColumns.map((column) => readCell(column)),
      readCell(columns.titleColumn),
      // Exportify writes the commas within a name with a backslash.
      columns.isOwnColumn ? readCell(columns.artistColumn) : readCell(columns.artistColumn).replaceAll('\\,', ','),
    )
    const playlistTitle = columns.playlistColumn < 0 ? '' : readCell(columns.playlistColumn).trim()
    const playlistDescription = readCell(columns.descriptionColumn)
    if (playlistDescription !== '' && !descriptionByPlaylist.has(playlistTitle))
      descriptionByPlaylist.set(playlistTitle, playlistDescription)
    if (!song) unreadablePositions.push(lineNumber)
    else if (songsByPlaylist.get(playlistTitle)?.push(song) === undefined) songsByPlaylist.set(playlistTitle, [song])
  }
  const { title, description } = readPreamble(preamble)
  const playlists = [...songsByPlaylist].map(
    ([name, listed]): FilePlaylist => ({
      title: name || title,
      description: descriptionByPlaylist.get(name) ?? description,
      songs: listed,
    }),
  )
  return { playlists, unreadablePositions, unit: 'line' }
}

function toSong(rowPosition: number, idTexts: readonly string[], songTitle: string, artistName: string): FileSong | undefined {
  const songId = idTexts.map(parseFileVideoId).find((id) => id !== undefined)
  if (songId === undefined && songTitle.trim() === '') return undefined
  return { position: rowPosition, ...(songId !== undefined && { songId }), title: songTitle, artist: artistName }
}

/** Returns whether a row describes a playlist of YouTube, whose title could look like the id of a video. */
const isPlaylistRow = ({ cells }: CsvRow): boolean => /^(PL|LL|FL|UU)[\w-]{10,}$/.test(cells[0] ?? '')

/**
 * Finds the title and the description of the playlist. In YouTube's exports from before 2023, a row above the songs contains them; its headings are
 * in the language of the account.
 */
function readPreamble(rows: readonly CsvRow[]): Pick<FilePlaylist, 'title' | 'description'> {
  const values = rows.find(isPlaylistRow)?.cells
  return { title: decodeEntities(values?.[4] ?? '').trim(), description: decodeEntities(values?.[5] ?? '').trim() }
}

/**
 * Reads a table without a known heading: the column with the most addresses of videos, or else with the most ids, if at least half of the
 * rows from the first id on have one. The rows above are headings in a language that is not known.
 */
function readTableWithoutHeadings(rows: readonly CsvRow[]): SongFile | undefined {
  const columnCount = countColumns(rows)
  const idColumn = findIdColumn(rows)
  const isVideoRow = (row: CsvRow) => !isPlaylistRow(row) && looksLikeVideoIdOrAddress(unescapeFormula(row.cells[idColumn] ?? ''))
  const firstIndex = rows.findIndex(isVideoRow)
  if (firstIndex < 0) return undefined
  const videoRows = rows.slice(firstIndex)
  if (videoRows.filter(isVideoRow).length * 2 < videoRows.length) return undefined
  const otherColumns = Array.from({ length: columnCount }, (_, column) => column).filter((column) => column !== idColumn)
  const fileSongs: FileSong[] = []
  const unreadablePositions: number[] = []
  for (const { cells, lineNumber } of videoRows) {
    const linkTexts = [cells[idColumn] ?? '', ...otherColumns.map((column) => cells[column] ?? '').filter((text) => text.includes('/'))]
    const song = toSong(lineNumber, linkTexts.map(unescapeFormula), '', '')
    if (song) fileSongs.push(song)
    else unreadablePositions.push(lineNumber)
  }
  // A single row above the ids counts as headings only if the table has several columns. In a list of ids, such a row is an unreadable
  // entry.
  const hasHeadings = firstIndex > 0 && columnCount > 1
  const above = hasHeadings ? [] : rows.slice(0, firstIndex).map(({ lineNumber }) => lineNumber)
  const playlist = { ...readPreamble(rows.slice(0, firstIndex)), songs: fileSongs }
  return { playlists: [playlist], unreadablePositions: [...above, ...unreadablePositions], unit: 'line' }
}

const countColumns = (rows: readonly CsvRow[]): number =>
  rows.reduce((most, { cells }) => Math.min(SEARCHED_COLUMNS_MAX, Math.max(most, cells.length)), 0)

/** Returns the column with the most addresses of videos, or else with the most ids, except `otherColumns`; -1 if there are none. */
function findIdColumn(rows: readonly CsvRow[], otherColumns: readonly number[] = []): number {
  const scoreByColumn = Array.from({ length: countColumns(rows) }, (_, column) =>
    otherColumns.includes(column) ? 0 : scoreColumn(rows, column),
  )
  return scoreByColumn.reduce((best, score, column) => (score > (scoreByColumn[best] ?? 0) ? column : best), -1)
}

/** Returns a number that is greater for a column with more addresses of videos and, among equals, with more ids. */
function scoreColumn(rows: readonly CsvRow[], columnIndex: number): number {
  let columnScore = 0
  for (const { cells } of rows) {
    const text = cells[columnIndex] ?? ''
    if (looksLikeVideoIdOrAddress(unescapeFormula(text))) columnScore += text.includes('/') ? rows.length + 1 : 1
  }
  return columnScore
}
