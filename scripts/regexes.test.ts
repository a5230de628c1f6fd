import { expect, it } from 'vitest'
import { findExpressions, findProblem } from './regexes.mjs'

const findSources = (text: string) => findExpressions('planted.ts', text).map(({ line, source, flags }) => `${line}: ${source} ${flags}`)

it.each([
  [String.raw`text.replace(/\s+$/g, '')`, String.raw`\s+$ g`],
  ["const pattern = new RegExp('a*b', 'iu')", 'a*b iu'],
  ['RegExp(String.raw`\\d{2,}`)', String.raw`\d{2,} `],
  ["Type.String({ maxLength: 9, pattern: '^(a|b)+$' })", '^(a|b)+$ '],
])('regular expressions: one without an upper bound is found: %s', (text, found) => {
  expect(findSources(`\n${text}`)).toEqual([`2: ${found}`])
})

it.each([String.raw`/^[a*]{1,20}\+$/.test(text)`, "'/a+$/'", '// /a+$/'])(
  'regular expressions: a bounded expression, and a text that is no expression, are skipped: %s',
  (text) => {
    expect(findSources(text)).toEqual([])
  },
)

it.each([
  ['trailing white space', String.raw`\s+$`],
  ['an address and what follows it', 'https?://[^ ]+[.,]*$'],
  ['an ambiguous repetition', '^(a|a)*$'],
])('regular expressions: one that may be slow is refused: %s', async (_, source) => {
  expect(await findProblem({ source, flags: '' })).toMatch(/polynomial|exponential/)
})

it('regular expressions: an expression with an assertion is refused, because the check cannot prove that it needs linear time', async () => {
  expect(await findProblem({ source: '(?<!a)a+', flags: '' })).toContain('not proved')
})

it('regular expressions: one that is proved to need linear time is accepted', async () => {
  expect(await findProblem({ source: '<[^<>]+>', flags: 'g' })).toBeUndefined()
})
