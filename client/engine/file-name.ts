/** Characters that some file system forbids in names; Windows has the longest list. */
const FORBIDDEN_CHARACTERS = /[<>:"/\\|?*\p{Cc}\p{Cf}\p{Cs}]/gu
/** The maximum length of the song's name in bytes, so that the file name stays under the 255 bytes of most file systems. */
const MAX_SONG_BYTES = 180

/** Returns the name of the exported file, such as `city lights (speed 1.25, pitch +2).wav`. */
export function exportFileName(songFileName: string, { speed, pitch }: { speed: number; pitch: number }, extension: string): string {
  const songName = songFileName
    .replace(/\.[A-Za-z0-9]{1,5}$/, '')
    .normalize('NFC')
    .replace(FORBIDDEN_CHARACTERS, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[ .]+|[ .]+$/g, '')
  const pitchText = `${pitch > 0 ? '+' : ''}${formatNumber(pitch)}`
  return `${cutToBytes(songName, MAX_SONG_BYTES) || 'song'} (speed ${formatNumber(speed)}, pitch ${pitchText}).${extension}`
}

const formatNumber = (value: number) => String(Number(value.toFixed(3)))

/** Cuts a text to at most `maxBytes` of UTF-8, between characters. */
function cutToBytes(text: string, maxBytes: number): string {
  let bytes = 0
  let shortenedText = ''
  for (const character of text) {
    bytes += new TextEncoder().encode(character).length
    if (bytes > maxBytes) return shortenedText.trimEnd()
    shortenedText += character
  }
  return shortenedText
}
