import { decodeEntities, type FileSong, parseFileVideoId, type SongFile } from './song-file.ts'

/** Returns whether a file is an M3U playlist, by its extensions (RFC 8216, section 4, defines the standard ones) or its name. */
export const isM3u = (content: string, fileName: string): boolean =>
  /^\s*#(EXTM3U|EXTINF:|PLAYLIST:)/i.test(content) || /\.m3u8?$/i.test(fileName)

/**
 * Reads an M3U playlist. The song of an entry is identified by the entry's address, or else by the artist and title in its `#EXTINF` line
 * or file name.
 */
export function readM3u(content: string): SongFile {
  let title = ''
  let name = ''
  const songs: FileSong[] = []
  const unreadablePositions: number[] = []
  for (const [index, rawLine] of content.split(/\r\n|\r|\n/).entries()) {
    const line = rawLine.trim()
    if (/^#PLAYLIST:/i.test(line)) title = decodeEntities(line.slice(line.indexOf(':') + 1)).trim()
    else if (/^#EXTINF:/i.test(line)) name = readName(line)
    if (line === '' || line.startsWith('#')) continue
    const position = index + 1
    const songId = parseFileVideoId(line)
    const nameParts = splitName(name || (songId === undefined ? fileNameOf(line) : ''))
    if (songId !== undefined || nameParts.title !== '') songs.push({ position, ...(songId !== undefined && { songId }), ...nameParts })
    else unreadablePositions.push(position)
    name = ''
  }
  return { playlists: [{ title, description: '', songs }], unreadablePositions, unit: 'line' }
}

/** Returns the name in an `#EXTINF` line: what follows the first comma that is not within the quotes of an attribute. */
function readName(line: string): string {
  let isQuoted = false
  for (let index = 0; index < line.length; index++) {
    if (line[index] === '"') isQuoted = !isQuoted
    else if (line[index] === ',' && !isQuoted) return decodeEntities(line.slice(index + 1)).trim()
  }
  return ''
}

/** Returns the file's name in a path or address, without its extension. */
function fileNameOf(filePath: string): string {
  const name = filePath.split(/[/\\]/).at(-1) ?? ''
  const decodedName = /%[0-9a-f]{2}/i.test(name) ? decodeSafely(name) : name
  return decodedName.replace(/\.[a-z0-9]{2,4}$/i, '').trim()
}

function decodeSafely(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Splits a name of the form `Artist - Title`. A name without the dash is a title. */
function splitName(name: string): Pick<FileSong, 'title' | 'artist'> {
  const dash = / [-–—] /.exec(name)
  if (!dash) return { title: name, artist: '' }
  return { artist: name.slice(0, dash.index).trim(), title: name.slice(dash.index + dash[0].length).trim() }
}
