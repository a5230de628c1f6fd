/** The width of a song's picture in a list of songs, in CSS pixels. */
const LIST_PICTURE_PX = 88
/** Average size of a song's row and picture in bytes, by picture width. */
const SONG_BYTES = { 160: 6_500, 320: 14_500 }
const COVER_BYTES = 60_000

/** Returns the width of song pictures in lists, in device pixels; one of the widths that the server provides. */
export const choosePictureWidth = (pixelRatio: number) => (LIST_PICTURE_PX * pixelRatio <= 160 ? 160 : 320)

/** Estimates the size in bytes of a pinned playlist with `songCount` songs. */
export const estimatePinnedPlaylistBytes = (songCount: number, pixelRatio: number): number =>
  songCount * SONG_BYTES[choosePictureWidth(pixelRatio)] + COVER_BYTES
