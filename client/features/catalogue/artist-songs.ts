import { foldText } from '../../../contract/fold-text.ts'
import type { Song } from '../../../contract/song.ts'

/**
 * Splits the results of a search by artist into the songs of the artist who has this name and those of artists whose names contain it. If no artist
 * has this name, all results are in `songs`.
 */
export function splitByArtist(foundSongs: readonly Song[], artistName: string): { songs: readonly Song[]; others: readonly Song[] } {
  const foldedName = foldText(artistName)
  const isOfArtist = (song: Song) => foldText(song.author_name) === foldedName
  const songs = foundSongs.filter(isOfArtist)
  return songs.length === 0 ? { songs: foundSongs, others: [] } : { songs, others: foundSongs.filter((song) => !isOfArtist(song)) }
}
