import type { Song } from '../../contract/song.ts'

/** Whether the length of most songs is unknown. Their list has no column of lengths. */
export const areMostLengthsUnknown = (songs: readonly Song[]): boolean =>
  songs.filter((song) => song.duration === undefined).length > songs.length / 2
