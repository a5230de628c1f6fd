/** What file systems of any kind refuse in a name: Windows has the longest list. */
const REFUSED = /[<>:"/\\|?*\p{Cc}\p{Cf}\p{Cs}]/gu
/** Of the song's part, so that the whole stays under the 255 bytes that most file systems take. */
const MAX_SONG_BYTES = 180

/** `city lights (speed 1.25, pitch +2).wav` */
export function exportFileName(songFileName: string, { speed, pitch }: { speed: number; pitch: number }, extension: string): string {
  const song = songFileName
    .replace(/\.[A-Za-z0-9]{1,5}$/, '')
    .normalize('NFC')
    .replace(REFUSED, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[ .]+|[ .]+$/g, '')
  const shift = `${pitch > 0 ? '+' : ''}${trimmed(pitch)}`
  return `${cut(song, MAX_SONG_BYTES) || 'song'} (speed ${trimmed(speed)}, pitch ${shift}).${extension}`
}

const trimmed = (value: number) => String(Number(value.toFixed(2)))

/** At most so many bytes of UTF-8, whole characters. */
function cut(text: string, maxBytes: number): string {
  let bytes = 0
  let kept = ''
  for (const character of text) {
    bytes += new TextEncoder().encode(character).length
    if (bytes > maxBytes) return kept.trimEnd()
    kept += character
  }
  return kept
}
