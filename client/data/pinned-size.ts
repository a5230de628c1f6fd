/** The width of a song's picture in a list of songs, in CSS pixels. */
const LIST_PICTURE_PX = 88
/** Average size of a song's row and picture in bytes, by picture width. */
const SONG_BYTES_BY_PICTURE_PX = { 160: 6_500, 320: 14_500 }
const PLAYLIST_COVERS_BYTES = 60_000

/** Returns the width of song pictures in lists, in device pixels; one of the widths that the server provides. */
export const choosePictureWidth = (pixelRatio: number) => (LIST_PICTURE_PX * pixelRatio <= 160 ? 160 : 320)

/** Estimates the size in bytes of a pinned playlist with `songCount` songs. */
export const estimatePinnedPlaylistBytes = (songCount: number, pixelRatio: number): number =>
  songCount * SONG_BYTES_BY_PICTURE_PX[choosePictureWidth(pixelRatio)] + PLAYLIST_COVERS_BYTES
