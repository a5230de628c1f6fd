import type { ExportFormat, MakerSettings } from './engine.ts'

/** Characters that some file system forbids in names; Windows has the longest list. */
const FORBIDDEN_CHARACTERS = /[<>:"/\\|?*\p{Cc}\p{Cf}\p{Cs}]/gu
/** The maximum length of the song's name in bytes, so that the file name stays under the 255 bytes of most file systems. */
const MAX_SONG_BYTES = 160

/**
 * Returns the name of the exported file, such as `city lights (speed 1.25, pitch +2).wav`. Reverb, bass and the float format are part of it if they
 * are used, so that exports with different settings have different names: `city lights (speed 0.8, pitch 0, reverb 35 size 50, bass +3).wav`.
 */
export function exportFileName(songFileName: string, settings: MakerSettings, format: ExportFormat): string {
  const { speed, pitch, reverbAmount, reverbSize, bassDb } = settings
  const songName = songFileName
    .replace(/\.[A-Za-z0-9]{1,5}$/, '')
    .normalize('NFC')
    .replace(FORBIDDEN_CHARACTERS, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[ .]+|(?<![ .])[ .]+$/g, '')
  const changes = [
    `speed ${formatNumber(speed)}`,
    `pitch ${formatChange(pitch)}`,
    ...(reverbAmount > 0 ? [`reverb ${formatNumber(reverbAmount)} size ${formatNumber(reverbSize)}`] : []),
    ...(bassDb !== 0 ? [`bass ${formatChange(bassDb)}`] : []),
    ...(format === 'wav-float32' ? ['32-bit float'] : []),
  ]
  return `${cutToBytes(songName, MAX_SONG_BYTES) || 'song'} (${changes.join(', ')}).${format === 'mp3' ? 'mp3' : 'wav'}`
}

const formatNumber = (value: number) => String(Number(value.toFixed(3)))
const formatChange = (value: number) => `${value > 0 ? '+' : ''}${formatNumber(value)}`

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
