import { setImmediate as nextTurn } from 'node:timers/promises'
import { foldText } from '../../contract/fold-text.ts'
import type { ImportedSongName } from '../../contract/own-playlist.ts'
import { hasDenseCharacters, toSearchableText } from '../../contract/search-text.ts'
import type { Song } from '../../contract/song.ts'
import type { SongReadOptions } from '../catalogue/store-song-rows.ts'
import type { Storage } from '../storage/open.ts'

/** The maximum number of songs that a search for a name returns, in the order of their titles. The most likely song is chosen among them. */
const SEARCHED_SONGS_MAX = 60

/** Matches remarks in brackets that other programs add to a title. */
const BRACKETED_REMARKS = /\([^()]*\)|\[[^[\]]*\]/gu
/** Matches the words of an edition, which other programs add to a title after a dash. */
const EDITION_WORDS = /\b(?:remaster|remastered|version|edit|mono|stereo|live|mix)\b/iu
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u
/** Matches the separator between the names of several artists. */
const ARTIST_SEPARATOR = /[,;&/]|\s(?:feat\.?|ft\.?|featuring|x|vs\.?)\s/iu

/** Returns a title without remarks and without the name of an edition; the title itself if nothing else remains. */
function removeRemarks(songTitle: string): string {
  const bareTitle = songTitle.replace(BRACKETED_REMARKS, ' ')
  const dashAt = Math.max(bareTitle.lastIndexOf(' - '), bareTitle.lastIndexOf(' – '))
  const plain = dashAt > 0 && EDITION_WORDS.test(bareTitle.slice(dashAt)) ? bareTitle.slice(0, dashAt) : bareTitle
  return plain.trim() || songTitle
}

/** Returns the search texts of a name, the most precise first: the whole name, then the title without remarks together with the first artist. */
function listSearchTexts({ title, artist = '' }: ImportedSongName): string[] {
  const [firstArtist = ''] = artist.split(ARTIST_SEPARATOR)
  return [...new Set([`${title} ${artist}`, `${removeRemarks(title)} ${firstArtist}`].map((text) => foldText(text)))].filter(
    (text) => text !== '',
  )
}

/**
 * Returns whether every word of a folded text is a word of the song's title or artist. A search finds words within other words, too. In scripts that
 * are written without spaces, words are not told apart.
 */
function hasAllWords({ title, author_name }: Song, foldedText: string): boolean {
  const songText = toSearchableText(`${title} ${author_name}`)
  const songWords = new Set(songText.split(' '))
  return foldedText.split(' ').every((word) => songWords.has(word) || (hasDenseCharacters(word) && songText.includes(word)))
}

/** Returns, of the songs with all words of a folded text, the one whose title differs least in length from the searched title. */
function findClosestSong(songs: readonly Song[], { title }: ImportedSongName, foldedText: string): Song | undefined {
  const computeLengthDifference = (song: Song) => Math.abs(song.title.length - title.length)
  const closestFirst = songs.toSorted((a, b) => computeLengthDifference(a) - computeLengthDifference(b))
  return closestFirst.find((song) => hasAllWords(song, foldedText))
}

/**
 * Finds for each name the most likely song of the catalogue, whose title and artist contain all words of the name's title, and of all artists or of
 * the first artist. A name whose title has no letters or digits has no song.
 */
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
      matchedSong = findClosestSong(await search(searchOptions, readOptions), importedName, searchText)
      if (matchedSong !== undefined) break
    }
    foundSongs.push(matchedSong)
    await nextTurn()
  }
  return foundSongs
}
