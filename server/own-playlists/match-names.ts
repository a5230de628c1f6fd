import { setImmediate as nextTurn } from 'node:timers/promises'
import { foldText } from '../../contract/fold-text.ts'
import type { ImportedSongName } from '../../contract/own-playlist.ts'
import { hasDenseCharacters, toSearchableText } from '../../contract/search-text.ts'
import type { Song } from '../../contract/song.ts'
import type { SongReadOptions } from '../catalogue/store-song-rows.ts'
import type { Storage } from '../storage/open.ts'

/** The maximum number of songs that a search for a name returns, in the order of their titles. The most likely song is chosen among them. */
const SEARCHED_SONGS_MAX = 60

/** Matches remarks in brackets, which titles in one program have and in another lack. */
const BRACKETED_REMARKS = /\([^()]*\)|\[[^[\]]*\]|【[^【】]*】|（[^（）]*）/gu
const GUESTS_START = /\s(?:feat|ft|featuring)\b\.?\s/iu
const REMARK_START = /\s[-–]\s|[([]/u
const GUESTS_REMARK = /^\P{L}*(?:feat|ft|featuring|with)\b/iu
/** Matches the number of a part. It is no remark, because another part is another song. */
const PART_NUMBER = /\b(?:pt|part|vol|volume|chapter)\b|^[([（【](?:[ivx]+|\d{1,2})[)\]）】]$/iu
/** Matches the words of an edition of the same recording, which other programs add to a title after a dash. */
const EDITION_WORDS = /\b(?:remaster|remastered|version|edit|mono|stereo|mix)\b/iu
const REMASTER_WORDS = /\bremaster(?:ed)?\b/iu
/** Matches remarks of which all words describe an edition, so that words such as 'edit' are not those of a remix. */
const EDITION_REMARK =
  /^(?:(?:edit|mix|version|edition|mono|stereo|radio|single|album|original|extended|full|main|official|music|video|audio|lyrics?|deluxe|explicit|clean|digital|anniversary|bonus|track|soundtrack|film|movie|tv|the|\d+(?:st|nd|rd|th)?)(?: |$))+$/u
const MIX_WORDS = /\b(?:edit|mix|version)\b/iu
/** Matches words of another recording of a song. */
const OTHER_RECORDING_WORDS =
  /\b(?:remix(?:ed)?|rmx|bootleg|mashup|flip|rework|vip|cover|live|vivo|acoustic|unplugged|instrumental|karaoke|piano|orchestral|acapella|cappella|demo|session|nightcore|slowed|sped|reverb|pitch(?:ed)?)\b/iu
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u
/** Matches the separator between the names of several artists. */
const ARTIST_SEPARATOR = /[,;&/]|\s(?:feat\.?|ft\.?|featuring|x|vs\.?)\s/iu

const isPartNumber = (remark: string): boolean => PART_NUMBER.test(remark)
/** Returns whether a remark names another recording, such as a remix. */
const isOtherRecording = (remark: string): boolean =>
  !GUESTS_REMARK.test(remark) &&
  (OTHER_RECORDING_WORDS.test(remark) || (MIX_WORDS.test(remark) && !REMASTER_WORDS.test(remark) && !EDITION_REMARK.test(foldText(remark))))

/** Returns a title without the guests that are named without brackets, up to a remark or the end of the title. */
function removeGuests(songTitle: string): string {
  const guestsAt = songTitle.search(GUESTS_START)
  if (guestsAt < 0) return songTitle
  const guests = songTitle.slice(guestsAt + 1)
  const guestsLength = guests.search(REMARK_START)
  const rest = guestsLength < 0 ? '' : guests.slice(guestsLength)
  return `${songTitle.slice(0, guestsAt)} ${removeGuests(rest)}`
}

/** Returns a title without its remarks except those that are kept; the title itself if nothing else remains. */
function removeRemarks(songTitle: string, isKept: (remark: string) => boolean): string {
  const bareTitle = removeGuests(songTitle.replace(BRACKETED_REMARKS, (remark) => (isKept(remark) ? remark : ' ')))
  const dashAt = Math.max(bareTitle.lastIndexOf(' - '), bareTitle.lastIndexOf(' – '))
  const afterDash = bareTitle.slice(dashAt + 3)
  // Behind a dash, words of another recording can be the title: 'Oasis - Live Forever'.
  const isRemark = dashAt > 0 && !isKept(afterDash) && EDITION_WORDS.test(afterDash) && !isOtherRecording(afterDash)
  const plain = isRemark ? bareTitle.slice(0, dashAt) : bareTitle
  return LETTER_OR_DIGIT.test(plain) ? plain.trim() : songTitle
}
/** Returns the title of a song, whichever recording it is. */
const toSongTitle = (title: string): string => removeRemarks(title, isPartNumber)
/** Returns the title of one recording of a song. */
const toRecordingTitle = (title: string): string => removeRemarks(title, (remark) => isPartNumber(remark) || isOtherRecording(remark))

/** Returns the search texts of a name, the most precise first: the whole name, then the title without remarks together with the first artist. */
const listSearchTexts = ({ title, artist = '' }: ImportedSongName): string[] =>
  [...new Set([`${title} ${artist}`, `${toRecordingTitle(title)} ${getFirstArtist(artist)}`].map((text) => foldText(text)))].filter(
    (text) => text !== '',
  )

const getFirstArtist = (artist: string): string => artist.split(ARTIST_SEPARATOR)[0] ?? ''

/** Returns whether every word of a text is a word of another text. In scripts that are written without spaces, words are not told apart. */
function hasAllWords(text: string, wordsText: string): boolean {
  const searchableText = toSearchableText(text)
  const textWords = new Set(searchableText.split(' '))
  return foldText(wordsText)
    .split(' ')
    .every((word) => textWords.has(word) || (hasDenseCharacters(word) && searchableText.includes(word)))
}

/** Returns whether two texts have the same letters and digits, whether or not spaces or signs separate them. */
const hasSameLetters = (text: string, otherText: string): boolean =>
  foldText(text).replaceAll(' ', '') === foldText(otherText).replaceAll(' ', '')

/**
 * Returns whether a song is the one that a name means. The song has all words of the name's title, with those of another recording. Without an artist,
 * the titles are equal except for remarks. With an artist, it is the song's or in its title, and the title has no word that the name lacks: 'Alone' is
 * not 'Alone, Pt. II'.
 */
function isNamedSong(song: Song, { title, artist = '' }: ImportedSongName): boolean {
  const recordingTitle = toRecordingTitle(title)
  if (!hasAllWords(`${song.title} ${song.author_name}`, recordingTitle)) return false
  const songTitle = toSongTitle(song.title)
  if (foldText(artist) === '')
    return hasSameLetters(recordingTitle, songTitle) || hasSameLetters(recordingTitle, toRecordingTitle(song.title))
  const fullName = `${artist} ${recordingTitle}`
  return (
    hasAllWords(`${songTitle} ${song.author_name}`, getFirstArtist(artist)) &&
    (hasAllWords(fullName, songTitle) || hasSameLetters(recordingTitle, songTitle) || hasSameLetters(fullName, songTitle))
  )
}

/** Returns the number of words that only one of two texts has. */
function countDifferentWords(text: string, otherText: string): number {
  const [words, otherWords] = [new Set(foldText(text).split(' ')), new Set(foldText(otherText).split(' '))]
  return [...words].filter((word) => !otherWords.has(word)).length + [...otherWords].filter((word) => !words.has(word)).length
}

/** Returns, of the songs that a name can mean, the same recording if there is one, and the one whose title differs in the fewest words. */
function findClosestSong(songs: readonly Song[], importedName: ImportedSongName): Song | undefined {
  const { title } = importedName
  const closestFirst = songs
    .filter((song) => isNamedSong(song, importedName))
    .map((song) => ({ song, differenceCount: countDifferentWords(song.title, title) }))
    .sort((a, b) => a.differenceCount - b.differenceCount)
    .map(({ song }) => song)
  return closestFirst.find((song) => hasSameLetters(toRecordingTitle(song.title), toRecordingTitle(title))) ?? closestFirst[0]
}

/** Finds for each name the most likely song of the catalogue. A name whose title has no letters or digits has no song. */
export async function matchNames(
  { search }: Pick<Storage['songs'], 'search'>,
  importedNames: readonly ImportedSongName[],
  readOptions: SongReadOptions,
): Promise<(Song | undefined)[]> {
  const foundSongs: (Song | undefined)[] = []
  for (const importedName of importedNames) {
    let matchedSong: Song | undefined
    for (const searchText of LETTER_OR_DIGIT.test(importedName.title) ? listSearchTexts(importedName) : []) {
      const searchOptions = {
        text: searchText,
        artistOnly: false,
        orderBy: 'title',
        direction: 'ASC',
        limit: SEARCHED_SONGS_MAX,
        offset: 0,
      } as const
      matchedSong = findClosestSong(await search(searchOptions, readOptions), importedName)
      if (matchedSong !== undefined) break
    }
    foundSongs.push(matchedSong)
    await nextTurn()
  }
  return foundSongs
}
