const MAX_MOVIE_BYTES = 64 * 2 ** 20
const MAX_BOXES = 1000

export interface Mp4Facts {
  /**
   * The reason for which an MP4 file cannot be decoded: its audio is protected against copying, as its sample description has the type `enca`
   * (ISO/IEC 14496-12, 8.12) or Apple's `drms`, or the file ends before its index, the `moov` box.
   */
  readonly failure: 'protected' | 'incomplete' | undefined
  /** Whether iTunes announces the encoder's delay and padding by a comment, which only the browser's decoder of whole files reads. */
  readonly hasItunesDelay: boolean
}

/** Reads the index of an MP4 file. For a file of another type, the result has no failure. */
export async function readMp4Facts(blob: Blob): Promise<Mp4Facts> {
  // The four bytes of the box type 'ftyp', with which MP4 files begin.
  const fileHeader = new DataView(await blob.slice(0, 8).arrayBuffer())
  const isMovie = fileHeader.byteLength === 8 && fileHeader.getUint32(4) === 0x66747970
  if (!isMovie) return { failure: undefined, hasItunesDelay: false }
  const movie = await findMovie(blob)
  if (movie === undefined) return { failure: 'incomplete', hasItunesDelay: false }
  const text = new TextDecoder('latin1').decode(movie)
  return { failure: isProtected(text) ? 'protected' : undefined, hasItunesDelay: text.includes('iTunSMPB') }
}

function isProtected(movie: string): boolean {
  for (let at = movie.indexOf('stsd'); at !== -1; at = movie.indexOf('stsd', at + 4)) {
    // The type is followed by version and flags, a count, and the size of the first description, 4 bytes each.
    if (['enca', 'drms'].includes(movie.slice(at + 16, at + 20))) return true
  }
  return false
}

/** Returns the content of the `moov` box; undefined if the file has none, or ends inside it. */
async function findMovie(blob: Blob): Promise<ArrayBuffer | undefined> {
  let at = 0
  for (let count = 0; count < MAX_BOXES && at + 8 <= blob.size; count++) {
    const boxHeader = new DataView(await blob.slice(at, at + 16).arrayBuffer())
    const size = boxHeader.getUint32(0)
    // A size of 1 means that a 64-bit size follows the type, a size of 0 that the box extends to the end of the file.
    const boxBytes = size === 1 && boxHeader.byteLength === 16 ? Number(boxHeader.getBigUint64(8)) : size === 0 ? blob.size - at : size
    if (boxBytes < 8) return undefined
    // The four bytes of the box type 'moov'.
    if (boxHeader.getUint32(4) === 0x6d6f6f76)
      return at + boxBytes > blob.size ? undefined : blob.slice(at, at + Math.min(boxBytes, MAX_MOVIE_BYTES)).arrayBuffer()
    at += boxBytes
  }
  return undefined
}
