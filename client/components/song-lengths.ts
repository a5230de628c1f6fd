import type { Song } from '../../contract/song.ts'

/** Whether the length of most of the songs is unknown. A list of such songs has no column for lengths. */
export const areMostLengthsUnknown = (songs: readonly Song[]): boolean =>
  songs.filter((song) => song.duration === undefined).length > songs.length / 2
