import { removeHiddenCharacters } from './text.ts'

// Limits and messages of the playlists of accounts, which pages and the server both apply. This file contains no schemas, because pages that import it
// would load the schema library as well.

export const PLAYLIST_TITLE_MAX_LENGTH = 100
export const PLAYLIST_DESCRIPTION_MAX_LENGTH = 2000
/** Maximum length of the position of an entry. Devices renumber a playlist before its positions grow that long. */
export const ENTRY_POSITION_MAX_LENGTH = 100

/** Maximum number of changes in one call of `/list/sync`, of entries in one change, and of entries in one call. */
export const OWN_PLAYLIST_CHANGES_MAX = 100
export const ENTRIES_PER_CHANGE_MAX = 500
export const ENTRIES_PER_CALL_MAX = 1000

/** Maximum number of own playlists of an account, of entries of one playlist, and of entries of all playlists of an account. */
export const OWN_PLAYLISTS_MAX = 500
export const ENTRIES_PER_PLAYLIST_MAX = 10_000
export const ENTRIES_PER_ACCOUNT_MAX = 100_000

/** Maximum number of video ids, and of songs' names, in one call of `/list/match`. */
export const MATCH_VIDEO_IDS_MAX = 500
export const MATCH_SONG_NAMES_MAX = 50
/** Maximum number of video ids in one call of `/list/find-videos`: as many as one request to YouTube can have. */
export const FIND_VIDEO_IDS_MAX = 50

/** The time in milliseconds for which a deleted playlist can be restored. */
export const DELETED_PLAYLIST_RESTORABLE_MS = 30 * 86_400_000

/** The number of covers in the picture of a playlist. A playlist with fewer songs has the cover of its first song. */
export const MOSAIC_COVER_COUNT = 4

/** Returns the ids of the first different songs of a playlist, at most as many as its picture shows. */
export function pickMosaicSongIds<T>(songs: readonly T[], idOf: (song: T) => string): string[] {
  const ids = new Set<string>()
  for (const song of songs) if (ids.add(idOf(song)).size === MOSAIC_COVER_COUNT) break
  return [...ids]
}

/** The messages with which changes of own playlists are refused. */
export const ownPlaylistMessages = {
  noPlaylist: 'There is no such playlist.',
  noTitle: 'A playlist needs a name.',
  noSong: 'There is no such song.',
  tooManyPlaylists: 'You have 500 playlists, the most there can be. Delete one first.',
  playlistFull: 'A playlist can have at most 10,000 songs. Remove some first.',
  accountFull:
    'Your playlists have 100,000 songs together, the most there can be. Remove some first: those of a deleted playlist count for 30 days.',
  notRestorable: 'This playlist was deleted more than 30 days ago, and its songs are gone.',
} as const

/** Returns whether a text has the form of the token of a shared playlist. */
export const isShareToken = (text: string): boolean => /^[A-Za-z0-9_-]{22}$/.test(text)

/** Removes hidden characters and the space around a text, and shortens it to `maxLength` without cutting its last character in half. */
const cleanText = (typedText: string, maxLength: number): string =>
  removeHiddenCharacters(typedText)
    .trim()
    .slice(0, maxLength)
    .replace(/[\uD800-\uDBFF]$/, '')
    .trimEnd()

/** Matches a character that is neither space nor joiner, direction mark or accent. */
const VISIBLE_CHARACTER = /[^\p{Cc}\p{Cf}\p{Z}\p{M}]/u

/** Returns a title as it is stored. It is empty if no character is visible. */
export function cleanPlaylistTitle(typedTitle: string): string {
  const text = cleanText(typedTitle, PLAYLIST_TITLE_MAX_LENGTH)
  return VISIBLE_CHARACTER.test(text) ? text : ''
}

/** Returns a description as it is stored. */
export const cleanPlaylistDescription = (description: string): string => cleanText(description, PLAYLIST_DESCRIPTION_MAX_LENGTH)
