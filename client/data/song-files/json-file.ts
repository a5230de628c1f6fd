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
const SEARCH_DEPTH_MAX = 6
/** The title of favorites that are read as a playlist. */
const FAVORITES_TITLE = 'Favorites'
/**
 * The JSON properties in which programs list watched videos, searches or subscriptions. They are skipped, because these videos are not part of a
 * playlist.
 */
const IGNORED_MEMBER_NAMES = /history|position|bookmark|subscri|search|progress/i
/** The names of JSON members that hold the songs of a playlist, the most reliable name first. */
const SONG_LIST_MEMBER_NAMES = ['videos', 'songs', 'tracks', 'items', 'entries']

type JsonObject = Readonly<Record<string, unknown>>

const isJsonObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value)
const toText = (value: unknown): string => (typeof value === 'string' ? value : '')

export interface JsonFileOptions {
  /** Whether only the favorites of a document that has favorites are read. Otherwise they are a playlist after the other playlists. */
  favoritesOnly?: boolean
}

/**
 * Reads the playlists of a JSON document: of Invidious, Piped, LibreTube, FreeTube (one document in each line), this site, or a program
 * with a similar format. Returns `undefined` if the text is not JSON or has no playlist.
 */
export function readJsonFile(jsonText: string, { favoritesOnly = false }: JsonFileOptions = {}): SongFile | undefined {
  let jsonDocument: unknown
  try {
    jsonDocument = parseJsonOrLines(jsonText)
  } catch {
    return undefined
  }
  const foundLists = findLists(jsonDocument, favoritesOnly, SEARCH_DEPTH_MAX)
  if (foundLists.length === 0) return undefined
  let listPosition = 0
  const unreadablePositions: number[] = []
  const filePlaylists = foundLists.map(({ title, description, entries }): FilePlaylist => {
    const fileSongs = entries.flatMap((entry): FileSong[] => {
      listPosition += 1
      const song = readSong(entry, listPosition)
      if (song === undefined) unreadablePositions.push(listPosition)
      return song === undefined ? [] : [song]
    })
    return { title, description, songs: fileSongs }
  })
  return { playlists: filePlaylists, unreadablePositions, unit: 'entry' }
}

/** Parses a JSON document, or text in which each line is a JSON document. @throws SyntaxError */
function parseJsonOrLines(jsonText: string): unknown {
  try {
    return JSON.parse(jsonText)
  } catch {
    return pickLatestDocuments(
      jsonText
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
function pickLatestDocuments(documentLines: readonly unknown[]): unknown[] {
  const documents = new Map<unknown, unknown>()
  for (const line of documentLines) documents.set(isJsonObject(line) ? (line._id ?? line) : line, line)
  return [...documents.values()].filter((document) => !isJsonObject(document) || document.$$deleted !== true)
}

interface FoundSongList {
  title: string
  description: string
  entries: readonly unknown[]
}

/**
 * Finds the lists of songs in a value: all playlists and the member `favorites`, or with `favoritesOnly` this member alone; else the first list of any
 * other member. In backups of LibreTube, the member `playlists` is a copy of `localPlaylists`; Piped marks an exported history by its `type`.
 */
function findLists(jsonValue: unknown, favoritesOnly: boolean, depthLeft: number): readonly FoundSongList[] {
  if (depthLeft === 0) return []
  const findInMember = (member: unknown) => findLists(member, favoritesOnly, depthLeft - 1)
  if (Array.isArray(jsonValue)) {
    if (jsonValue.some(isWatchedVideo)) return []
    return isSongList(jsonValue) ? [{ title: '', description: '', entries: jsonValue }] : jsonValue.flatMap(findInMember)
  }
  if (!isJsonObject(jsonValue) || jsonValue.type === 'history') return []
  const { favorites, playlists, localPlaylists, ...remainingFields } = jsonValue
  const favoriteLists = findInMember(favorites).map((list) => ({ ...list, title: list.title || FAVORITES_TITLE }))
  if (favoritesOnly && favoriteLists.length > 0) return favoriteLists
  const playlist = readPlaylist(jsonValue)
  const localLists = findInMember(localPlaylists)
  const listedPlaylists = localLists.length > 0 ? localLists : findInMember(playlists)
  const foundPlaylists = [...(playlist ? [playlist] : listedPlaylists), ...favoriteLists]
  if (foundPlaylists.length > 0) return foundPlaylists
  const otherMembers = Object.entries(remainingFields).flatMap(([name, member]) => (IGNORED_MEMBER_NAMES.test(name) ? [] : [member]))
  for (const member of otherMembers) {
    const lists = findInMember(member)
    if (lists.length > 0) return lists
  }
  return []
}

/**
 * Reads an object that is one playlist. The object has the playlist's name, except in backups of LibreTube, where its member `playlist` has
 * the name.
 */
function readPlaylist(playlistObject: JsonObject): FoundSongList | undefined {
  const listEntries = SONG_LIST_MEMBER_NAMES.map((name) => playlistObject[name]).find(
    (each): each is readonly unknown[] => Array.isArray(each) && isSongList(each),
  )
  if (!listEntries) return undefined
  const properties = isJsonObject(playlistObject.playlist) ? { ...playlistObject.playlist, ...playlistObject } : playlistObject
  const title = toText(properties.playlistName) || toText(properties.title) || toText(properties.name)
  return { title, description: toText(properties.description), entries: listEntries }
}

/** Returns whether a value is an entry of a history of watched videos: of YouTube's export, or of FreeTube. */
const isWatchedVideo = (value: unknown): boolean =>
  isJsonObject(value) && (('titleUrl' in value && 'header' in value) || 'timeWatched' in value || 'watchProgress' in value)

const hasSongList = (value: JsonObject): boolean => SONG_LIST_MEMBER_NAMES.some((name) => Array.isArray(value[name]))

/**
 * Returns whether a list is a list of songs: whether it has an object that is a song, or half of its strings are ids or addresses of
 * videos.
 */
function isSongList(jsonList: readonly unknown[]): boolean {
  if (jsonList.some((each) => isJsonObject(each) && !hasSongList(each) && readSong(each, 0) !== undefined)) return true
  const texts = jsonList.filter((each) => typeof each === 'string')
  return texts.length > 0 && texts.filter(looksLikeVideoIdOrAddress).length * 2 >= texts.length
}

/**
 * Returns whether a member identifies something else than a video: `_id` is the key of a document in FreeTube's database, which is the searched text in
 * its search history, and an `id` that is a word is a name.
 */
const isDatabaseKey = (memberName: string, member: unknown): boolean =>
  memberName === '_id' || (memberName === 'id' && !looksLikeVideoIdOrAddress(toText(member)))

/**
 * Reads a song: the text or the object of an entry. An object without an id needs a title and an artist, because an object with only a
 * title could be a playlist.
 */
function readSong(jsonValue: unknown, listPosition: number, remainingDepth = 2): FileSong | undefined {
  if (typeof jsonValue === 'string') {
    const songId = parseFileVideoId(jsonValue)
    return songId === undefined ? undefined : { position: listPosition, songId, title: '', artist: '' }
  }
  if (!isJsonObject(jsonValue)) return undefined
  const memberByName = new Map(
    Object.entries(jsonValue)
      .filter(([name, member]) => !isDatabaseKey(name, member))
      .map(([name, member]) => [foldFieldName(name), member]),
  )
  const readTexts = (names: readonly string[]) => names.map((name) => toText(memberByName.get(name))).filter((text) => text !== '')
  const [songTitle = '', artistName = ''] = [readTexts(TITLE_FIELD_NAMES)[0], readTexts(ARTIST_FIELD_NAMES)[0]]
  const songId = readTexts(ID_FIELD_NAMES)
    .map(parseFileVideoId)
    .find((id) => id !== undefined)
  if (songId === undefined && isJsonObject(jsonValue.song) && remainingDepth > 0)
    return readSong(jsonValue.song, listPosition, remainingDepth - 1)
  if (songId === undefined && (songTitle === '' || artistName === '')) return undefined
  // This site writes texts unescaped; other programs may write HTML character references.
  const decode = memberByName.has('youtube id') ? (text: string) => text : decodeEntities
  return { position: listPosition, ...(songId !== undefined && { songId }), title: decode(songTitle), artist: decode(artistName) }
}
