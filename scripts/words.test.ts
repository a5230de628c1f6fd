import { expect, test } from 'vitest'
import { findRefusedFileName, findRefusedNames } from './words.mjs'

const namesIn = (text: string) => findRefusedNames('planted.tsx', text).map(({ line, name }) => `${line} ${name}`)

test('refuses a name as variable, property, type, component, attribute and private field', () => {
  expect(
    namesIn(`const kept = 1
export const row = { turn: 2, kept }
type Tap = Standing
const view = <Key wish={row.heard} />
class Each { #begin = 1 }
function whole({ failing }: Record<string, number>) { return failing }`),
  ).toEqual([
    '1 kept',
    '2 turn',
    '2 kept',
    '3 Tap',
    '3 Standing',
    '4 Key',
    '4 wish',
    '4 heard',
    '5 begin',
    '6 whole',
    '6 failing',
    '6 failing',
  ])
})

test('accepts the same words in strings, templates, comments and JSX text, and as a part of a longer name', () => {
  expect(
    namesIn(`// kept, heard
/** {@link nobody} */
export const text = 'kept' + \`whole \${1} turn\`
export const view = <p title="Key">begin wish</p>
export const keptSongs = 1, returned = 2, KeyCode = 3`),
  ).toEqual([])
})

test('refuses a file name, alone and with a suffix', () => {
  expect(
    ['client/first-data.ts', 'scripts/later-parts.test.ts', 'sw/later-parts-list.ts', 'e2e/initial-data.ts', 'docs/at-first-data'].map(
      findRefusedFileName,
    ),
  ).toEqual(['first-data', 'later-parts', 'later-parts', undefined, undefined])
})

test('fails on a file that cannot be parsed', () => {
  expect(() => namesIn('const = 1')).toThrow('planted.tsx')
})
