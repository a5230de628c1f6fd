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

/** How deep playlists are searched for in a document. */
const DEPTH_MAX = 6
/**
 * The JSON properties in which programs list watched videos, searches or subscriptions. They are skipped, because these videos are not part of a
 * playlist.
 */
const OTHER_MEMBERS = /history|position|bookmark|subscri|search|progress/i
/** The names of JSON members that hold the songs of a playlist, the most reliable name first. */
const LIST_MEMBERS = ['videos', 'songs', 'tracks', 'items', 'entries']

type JsonObject = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value)
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/**
 * Reads the playlists of a JSON document: of Invidious, Piped, LibreTube, FreeTube (one document in each line), this site, or a program
 * with a similar format. Returns `undefined` if the text is not JSON or has no playlist.
 */
export function readJsonFile(content: string): SongFile | undefined {
  let document: unknown
  try {
    document = parseJsonOrLines(content)
  } catch {
    return undefined
  }
  const lists = findLists(document, DEPTH_MAX)
  if (lists.length === 0) return undefined
  let position = 0
  const unreadablePositions: number[] = []
  const playlists = lists.map(({ title, description, entries }): FilePlaylist => {
    const songs = entries.flatMap((entry): FileSong[] => {
      position += 1
      const song = readSong(entry, position)
      if (song === undefined) unreadablePositions.push(position)
      return song === undefined ? [] : [song]
    })
    return { title, description, songs }
  })
  return { playlists, unreadablePositions, unit: 'entry' }
}

/** Parses a JSON document, or text in which each line is a JSON document. @throws SyntaxError */
function parseJsonOrLines(content: string): unknown {
  try {
    return JSON.parse(content)
  } catch {
    return latestDocuments(
      content
        .split('\n')
        .filter((line) => line.trim() !== '')
        .map((line): unknown => JSON.parse(line)),
    )
  }
}

/**
 * Returns the documents of a database file of FreeTube, to which each change of a document appends a line: the last line with an `_id` is the current
 * state of its document, which may be its deletion.
 */
function latestDocuments(lines: readonly unknown[]): unknown[] {
  const documents = new Map<unknown, unknown>()
  for (const line of lines) documents.set(isObject(line) ? (line._id ?? line) : line, line)
  return [...documents.values()].filter((document) => !isObject(document) || document.$$deleted !== true)
}

interface FoundList {
  title: string
  description: string
  entries: readonly unknown[]
}

/** Finds the lists of songs in a value: the member `favorites` alone, or else all playlists, or else the first list of any other member. */
function findLists(value: unknown, depth: number): readonly FoundList[] {
  if (depth === 0) return []
  if (Array.isArray(value)) {
    if (value.some(isWatched)) return []
    return isSongList(value) ? [{ title: '', description: '', entries: value }] : value.flatMap((each) => findLists(each, depth - 1))
  }
  if (!isObject(value)) return []
  const { favorites, playlists, localPlaylists, ...otherValues } = value
  const favoriteLists = findLists(favorites, depth - 1)
  if (favoriteLists.length > 0) return favoriteLists
  const playlist = readPlaylist(value)
  if (playlist) return [playlist]
  const allPlaylists = [playlists, localPlaylists].filter((each) => each !== undefined).flat()
  const otherMembers = Object.entries(otherValues).flatMap(([name, member]) => (OTHER_MEMBERS.test(name) ? [] : [member]))
  for (const member of [allPlaylists, ...otherMembers]) {
    const lists = findLists(member, depth - 1)
    if (lists.length > 0) return lists
  }
  return []
}

/**
 * Reads an object that is one playlist. The object has the playlist's name, except in backups of LibreTube, where its member `playlist` has
 * the name.
 */
function readPlaylist(value: JsonObject): FoundList | undefined {
  const entries = LIST_MEMBERS.map((name) => value[name]).find(
    (each): each is readonly unknown[] => Array.isArray(each) && isSongList(each),
  )
  if (!entries) return undefined
  const properties = isObject(value.playlist) ? { ...value.playlist, ...value } : value
  const title = textOf(properties.playlistName) || textOf(properties.title) || textOf(properties.name)
  return { title, description: textOf(properties.description), entries }
}

/** Returns whether a value is an entry of a history of watched videos: of YouTube's export, or of FreeTube. */
const isWatched = (value: unknown): boolean =>
  isObject(value) && (('titleUrl' in value && 'header' in value) || 'timeWatched' in value || 'watchProgress' in value)

const hasList = (value: JsonObject): boolean => LIST_MEMBERS.some((name) => Array.isArray(value[name]))

/**
 * Returns whether a list is a list of songs: whether it has an object that is a song, or half of its strings are ids or addresses of
 * videos.
 */
function isSongList(list: readonly unknown[]): boolean {
  if (list.some((each) => isObject(each) && !hasList(each) && readSong(each, 0) !== undefined)) return true
  const texts = list.filter((each) => typeof each === 'string')
  return texts.length > 0 && texts.filter(looksLikeVideoIdOrAddress).length * 2 >= texts.length
}

/**
 * Reads a song: the text or the object of an entry. An object without an id needs a title and an artist, because an object with only a
 * title could be a playlist.
 */
function readSong(value: unknown, listPosition: number, depth = 2): FileSong | undefined {
  if (typeof value === 'string') {
    const songId = parseFileVideoId(value)
    return songId === undefined ? undefined : { position: listPosition, songId, title: '', artist: '' }
  }
  if (!isObject(value)) return undefined
  const members = new Map(Object.entries(value).map(([name, member]) => [foldFieldName(name), member]))
  const readTexts = (names: readonly string[]) => names.map((name) => textOf(members.get(name))).filter((text) => text !== '')
  const [title = '', artist = ''] = [readTexts(TITLE_FIELD_NAMES)[0], readTexts(ARTIST_FIELD_NAMES)[0]]
  const songId = readTexts(ID_FIELD_NAMES)
    .map(parseFileVideoId)
    .find((id) => id !== undefined)
  if (songId === undefined && isObject(value.song) && depth > 0) return readSong(value.song, listPosition, depth - 1)
  if (songId === undefined && (title === '' || artist === '')) return undefined
  // This site writes texts unescaped; other programs may write HTML character references.
  const decode = members.has('youtube id') ? (text: string) => text : decodeEntities
  return { position: listPosition, ...(songId !== undefined && { songId }), title: decode(title), artist: decode(artist) }
}
