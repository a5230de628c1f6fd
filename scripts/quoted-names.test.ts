import { expect, test } from 'vitest'
import { findQuotedNames, findQuotedPaths, isKnownName, readProgram } from './quoted-names.mjs'

test('quoted names: a name, a member and a call are names; code and paths are not', () => {
  expect(findQuotedNames('`load`, `store.load`, `load()`, `a + b`, `./load.ts`, `--flag`').map(({ name }) => name)).toEqual([
    'load',
    'store.load',
    'load',
  ])
})

test('quoted names: a comment may name what its own file declares or another file exports, and nothing else', () => {
  const otherProgram = readProgram('other.ts', "export const shared = () => 'text'\nfunction hidden() {}\n")
  const { quotedNames, ownWords } = readProgram(
    'own.ts',
    '// `own`, `shared`, `text`,\n// `hidden`, `gone`, `gone.member`\nlet own = 1 // own\n',
  )
  const sharedWords = new Set(otherProgram.sharedWords)
  expect(quotedNames.filter(({ name }) => !isKnownName(name, sharedWords, ownWords))).toEqual([
    { name: 'hidden', line: 2 },
    { name: 'gone', line: 2 },
    { name: 'gone.member', line: 2 },
  ])
})

test('quoted names: a path begins with a folder of the root', () => {
  expect(findQuotedPaths('`server/app.ts`, `e2e/offline`, `client/`, `other/app.ts`, `server/*.ts`').map(({ name }) => name)).toEqual([
    'server/app.ts',
    'e2e/offline',
    'client/',
  ])
})
