const MAX_MOVIE_BYTES = 64 * 2 ** 20
const MAX_BOXES = 1000

/**
 * Whether the sound of an MP4 file is protected against copying: its sample description is called `enca` (ISO/IEC 14496-12, 8.12) or, by Apple,
 * `drms`.
 */
export async function isProtected(blob: Blob): Promise<boolean> {
  const movie = await findMovie(blob)
  if (movie === undefined) return false
  const text = new TextDecoder('latin1').decode(movie)
  for (let at = text.indexOf('stsd'); at !== -1; at = text.indexOf('stsd', at + 4)) {
    // After its name: version and flags, a count, and the size of the first description, 4 bytes each.
    if (['enca', 'drms'].includes(text.slice(at + 16, at + 20))) return true
  }
  return false
}

async function findMovie(blob: Blob): Promise<ArrayBuffer | undefined> {
  let at = 0
  for (let count = 0; count < MAX_BOXES && at + 8 <= blob.size; count++) {
    const head = new DataView(await blob.slice(at, at + 16).arrayBuffer())
    const size = head.getUint32(0)
    // 1 says that a longer size follows the name, 0 that the box goes on to the end.
    const boxBytes = size === 1 && head.byteLength === 16 ? Number(head.getBigUint64(8)) : size === 0 ? blob.size - at : size
    if (boxBytes < 8) return undefined
    // 'moov'
    if (head.getUint32(4) === 0x6d6f6f76) return blob.slice(at, at + Math.min(boxBytes, MAX_MOVIE_BYTES)).arrayBuffer()
    at += boxBytes
  }
  return undefined
}
