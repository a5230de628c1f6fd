import { expect, it } from 'vitest'
import { splitLinks } from '../client/ui/linkify.tsx'
import { mainThreadCpuMs } from '../server/testing/main-thread-cpu.ts'

const TEXT_LENGTH = 20_000

/** Texts of `TEXT_LENGTH` characters: each punctuation mark, and mixes that make a backtracking or nested loop slow. */
const texts = [
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
texts.push(`${'.'.repeat(TEXT_LENGTH / 2)}a${')'.repeat(TEXT_LENGTH / 2)}`)

it.each(['', 'https://x.yy/', 'https://x'])('links are found in linear time after %j', (start) => {
  for (const text of texts) {
    const startMs = mainThreadCpuMs()
    splitLinks(`${start}${text}`)
    expect(mainThreadCpuMs() - startMs, text.slice(0, 10)).toBeLessThan(100)
  }
})
