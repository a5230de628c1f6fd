import { expect, it } from 'vitest'
import { readSongFile } from '../client/data/song-files/read-song-file.ts'
import { splitLinks } from '../client/ui/linkify.tsx'
import { findContactProblems } from '../contract/contact-rules.ts'
import { findPlaylistIds } from '../server/admin/youtube/import-members.ts'
import { redactText } from '../server/log.ts'
import { readMainThreadCpuMs } from '../server/testing/main-thread-cpu.ts'
import { isShellPath, listPicturePathsInOtherWidths } from '../sw/routes.ts'

const TEXT_LENGTH = 20_000

/**
 * Texts of `TEXT_LENGTH` characters. They consist of single punctuation marks, or of mixes with which a backtracking or nested loop would
 * be slow.
 */
const testTexts = [
  ...'!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~…’”» \n\u0301',
  '.)',
  '[)',
  '\u0316\u0301',
  '\ud83d\ude00',
  '\ud83d',
  'https://',
  'https://x.yy/ ',
  '&amp;',
  '<b>',
].map((unit) => unit.repeat(TEXT_LENGTH / unit.length))
testTexts.push(`${'.'.repeat(TEXT_LENGTH / 2)}a${')'.repeat(TEXT_LENGTH / 2)}`)

it.each(['', 'https://x.yy/', 'https://x'])('links are found in linear time after %j', (textStart) => {
  for (const longText of testTexts) {
    const startMs = readMainThreadCpuMs()
    splitLinks(`${textStart}${longText}`)
    expect(readMainThreadCpuMs() - startMs, longText.slice(0, 10)).toBeLessThan(100)
  }
})

const LONG_TEXT_LENGTH = 100_000

it.each<[string, string, (text: string) => unknown]>([
  ['a log line of beginnings of tokens', 'eyJ', redactText],
  ['a description without spaces', 'a', (text) => findPlaylistIds(text, new Map())],
  ['a host of dots', '.', (text) => findContactProblems({ topic: 'request-song', youtube_url: `https://x${text} ` })],
  ['a width of digits', '1', (text) => listPicturePathsInOtherWidths(`/img/song/a/${text}a`)],
  ['slashes within a path', '/', (text) => isShellPath(`/a${text}a`, '/')],
])('reading %s takes linear time', (_, textUnit, readText) => {
  const longText = textUnit.repeat(LONG_TEXT_LENGTH / textUnit.length)
  const startMs = readMainThreadCpuMs()
  readText(longText)
  expect(readMainThreadCpuMs() - startMs).toBeLessThan(100)
})

it('a file of favorites is searched once, however its lists are nested', () => {
  let jsonText = JSON.stringify(Array.from({ length: 8000 }, (_, index) => ({ name: `no song ${index}` })))
  for (let depth = 0; depth < 5; depth++) jsonText = `{"favorites":${jsonText}}`
  const startMs = readMainThreadCpuMs()
  expect(readSongFile(jsonText, '', { favoritesOnly: true })).toBeUndefined()
  expect(readMainThreadCpuMs() - startMs).toBeLessThan(150)
})
