import { removeHiddenCharacters } from './text.ts'

/**
 * Characters that a file system forbids in names (Windows forbids the most), control characters, and direction marks, which can disguise the
 * extension.
 */
const FORBIDDEN_CHARACTERS = /[<>:"/\\|?*\p{Cc}\u200E\u200F]/gu
/**
 * The maximum length of a song's name in bytes, so that the name of an exported file, which is this name followed by the settings of the export,
 * stays under the 255 bytes that most file systems allow.
 */
const MAX_SONG_NAME_BYTES = 160

/**
 * Returns the name of a song's file without its extension and without characters that file names cannot have; `song` if nothing is left. Joiners
 * stay, because Persian words and emoji consist of them.
 */
export function toSongName(fileName: string): string {
  const safeName = removeHiddenCharacters(
    fileName
      .replace(/\.[A-Za-z0-9]{1,5}$/, '')
      .normalize('NFC')
      .replace(FORBIDDEN_CHARACTERS, ' '),
  )
    .replace(/\s+/g, ' ')
    .replace(/^[ .]+|(?<![ .])[ .]+$/g, '')
  return cutToBytes(safeName, MAX_SONG_NAME_BYTES) || 'song'
}

/** Cuts a text to at most `maxBytes` of UTF-8, between characters as people see them: an emoji of several code points is kept whole or left out. */
function cutToBytes(longName: string, maxBytes: number): string {
  const textEncoder = new TextEncoder()
  // Most texts are short enough. Creating the page's first segmenter takes tens of milliseconds.
  if (textEncoder.encode(longName).length <= maxBytes) return longName
  let byteCount = 0
  let shortenedText = ''
  for (const { segment } of new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(longName)) {
    byteCount += textEncoder.encode(segment).length
    if (byteCount > maxBytes) return shortenedText.trimEnd()
    shortenedText += segment
  }
  return shortenedText
}
