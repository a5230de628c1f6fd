import { expect, it } from 'vitest'
import { findExpressions, problemOf } from './regexes.mjs'

const findSources = (text: string) => findExpressions('planted.ts', text).map(({ line, source, flags }) => `${line}: ${source} ${flags}`)

it.each([
  [String.raw`text.replace(/\s+$/g, '')`, String.raw`\s+$ g`],
  ["const pattern = new RegExp('a*b', 'iu')", 'a*b iu'],
  ['RegExp(String.raw`\\d{2,}`)', String.raw`\d{2,} `],
  ["Type.String({ maxLength: 9, pattern: '^(a|b)+$' })", '^(a|b)+$ '],
])('finds an expression without an upper bound: %s', (text, found) => {
  expect(findSources(`\n${text}`)).toEqual([`2: ${found}`])
})

it.each([String.raw`/^[a*]{1,20}\+$/.test(text)`, "'/a+$/'", '// /a+$/'])('skips what is bounded or no expression: %s', (text) => {
  expect(findSources(text)).toEqual([])
})

it.each([
  ['trailing white space', String.raw`\s+$`],
  ['an address and what follows it', 'https?://[^ ]+[.,]*$'],
  ['an ambiguous repetition', '^(a|a)*$'],
])('refuses an expression that may be slow: %s', async (_, source) => {
  expect(await problemOf({ source, flags: '' })).toMatch(/polynomial|exponential/)
})

it('refuses an expression with an assertion, about which nothing is proved', async () => {
  expect(await problemOf({ source: '(?<!a)a+', flags: '' })).toContain('not proved')
})

it('accepts an expression that is proved to need linear time', async () => {
  expect(await problemOf({ source: '<[^<>]+>', flags: 'g' })).toBeUndefined()
})
