import { decodeEntities, type FileSong, parseFileVideoId, type SongFile } from './song-file.ts'

/** Returns whether a file is an M3U playlist, by its extensions (RFC 8216, section 4, defines the standard ones) or its name. */
export const isM3u = (content: string, fileName: string): boolean =>
  /^\s*#(EXTM3U|EXTINF:|PLAYLIST:)/i.test(content) || /\.m3u8?$/i.test(fileName)

/** Matches a number with the separator after it: `01 - `, `12. `, `3 – `. */
const NUMBER = /^(\d{1,2})(?:\.\s*| [-–—] )/u
/** Matches a number that is a track's even by itself, because titles and artists' names rarely begin with 0: `01 `, `01-`, `1-01 `. */
const PADDED_NUMBER = /^(?:\d-)?0\d(?:\s*[-–—._]\s*|\s+)/u

/** Returns a name without the number at its start; the name itself if nothing else remains. */
function removeNumber(fileName: string, numberPattern: RegExp): string {
  const rest = fileName.replace(numberPattern, '')
  return /[\p{L}\p{N}]/u.test(rest) ? rest : fileName
}

/**
 * Reads an M3U playlist. The song of an entry is identified by the entry's address, or else by the artist and title in its `#EXTINF` line
 * or file name.
 */
export function readM3u(fileText: string): SongFile {
  let playlistTitle = ''
  let songName = ''
  const fileSongs: FileSong[] = []
  const unreadablePositions: number[] = []
  const fileLines = fileText.split(/\r\n|\r|\n/)
  const isNumbered = hasTrackNumbers(fileLines)
  for (const [index, rawLine] of fileLines.entries()) {
    const trimmedLine = rawLine.trim()
    if (/^#PLAYLIST:/i.test(trimmedLine)) playlistTitle = decodeEntities(trimmedLine.slice(trimmedLine.indexOf(':') + 1)).trim()
    else if (/^#EXTINF:/i.test(trimmedLine)) songName = readSongName(trimmedLine)
    if (trimmedLine === '' || trimmedLine.startsWith('#')) continue
    const lineNumber = index + 1
    const songId = parseFileVideoId(trimmedLine)
    const nameParts = splitName(songName || (songId === undefined ? readTrackName(trimmedLine, isNumbered) : ''))
    if (songId !== undefined || nameParts.title !== '')
      fileSongs.push({ position: lineNumber, ...(songId !== undefined && { songId }), ...nameParts })
    else unreadablePositions.push(lineNumber)
    songName = ''
  }
  return { playlists: [{ title: playlistTitle, description: '', songs: fileSongs }], unreadablePositions, unit: 'line' }
}

/** Returns the name in an `#EXTINF` line: what follows the first comma that is not within the quotes of an attribute. */
function readSongName(nameLine: string): string {
  let isTitleQuoted = false
  for (let index = 0; index < nameLine.length; index++) {
    if (nameLine[index] === '"') isTitleQuoted = !isTitleQuoted
    else if (nameLine[index] === ',' && !isTitleQuoted) return decodeEntities(nameLine.slice(index + 1)).trim()
  }
  return ''
}

/** Returns the file's name in a path or address, without its extension. */
function readFileName(filePath: string): string {
  const name = filePath.split(/[/\\]/).at(-1) ?? ''
  const decodedName = /%[0-9a-f]{2}/i.test(name) ? decodeSafely(name) : name
  return decodedName.replace(/\.[a-z0-9]{2,4}$/i, '').trim()
}

/** Returns whether most of the files begin with different numbers. Others, such as `22 - Taylor Swift`, begin with a title or artist. */
function hasTrackNumbers(fileLines: readonly string[]): boolean {
  const fileNames = fileLines
    .map((line) => line.trim())
    .flatMap((line) => (line === '' || line.startsWith('#') ? [] : [readFileName(line)]))
  const numbers = fileNames.flatMap((name) => (removeNumber(name, NUMBER) === name ? [] : (NUMBER.exec(name)?.[1] ?? [])))
  return new Set(numbers).size > 1 && numbers.length * 2 > fileNames.length
}

/** Returns the file's name in a path or address, without the number of the track. */
function readTrackName(filePath: string, isNumbered: boolean): string {
  const fileName = readFileName(filePath)
  const withoutPadded = removeNumber(fileName, PADDED_NUMBER)
  return isNumbered && withoutPadded === fileName ? removeNumber(fileName, NUMBER) : withoutPadded
}

function decodeSafely(encodedText: string): string {
  try {
    return decodeURIComponent(encodedText)
  } catch {
    return encodedText
  }
}

/** Splits a name of the form `Artist - Title`. A name without the dash is a title. */
function splitName(songName: string): Pick<FileSong, 'title' | 'artist'> {
  const dash = / [-–—] /.exec(songName)
  if (!dash) return { title: songName, artist: '' }
  return { artist: songName.slice(0, dash.index).trim(), title: songName.slice(dash.index + dash[0].length).trim() }
}
