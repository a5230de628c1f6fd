/** In CSS pixels, as rows show a song's picture. */
const ROW_PICTURE_PX = 88
/** Bytes of a song's row and picture, about: for the size that is told before anything was fetched. */
const SONG_BYTES = { 160: 6_500, 320: 14_500 }
const COVER_BYTES = 60_000

/** Of its pictures in the rows of a list, as the site has them. */
export const songWidth = (pixelRatio: number) => (ROW_PICTURE_PX * pixelRatio <= 160 ? 160 : 320)

/** What keeping a playlist of `songCount` songs takes, about. */
export const estimateKeptBytes = (songCount: number, pixelRatio: number): number =>
  songCount * SONG_BYTES[songWidth(pixelRatio)] + COVER_BYTES
