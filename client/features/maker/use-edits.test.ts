import { expect, test } from 'vitest'
import { arrangeEdits } from './use-edits.ts'
import type { ProjectSummary } from './use-maker.ts'

const createEdit = (title: string, artist: string | undefined, changedAtMs: number): ProjectSummary => ({
  id: title,
  title,
  artist,
  rate: 1.25,
  lengthS: undefined,
  bpm: undefined,
  bytes: 1,
  source: title,
  changedAtMs,
  cover: undefined,
  coverSource: undefined,
})
const EDITS = [
  createEdit('ガンダム', undefined, 1),
  createEdit('カンタム', undefined, 2),
  createEdit("Don't Stop", 'AC/DC', 3),
  createEdit('Straße', 'R.E.M.', 4),
  createEdit('Øde', undefined, 5),
]
const listTitles = (filterText: string) => arrangeEdits(EDITS, filterText, 'newest').map(({ title }) => title)

test.each([
  ['ガンダム', ['ガンダム']],
  ['カンタム', ['カンタム']],
  ['dont', ["Don't Stop"]],
  ['don’t acdc', ["Don't Stop"]],
  ['ac/dc', ["Don't Stop"]],
  ['rem', ['Straße']],
  ['STRASSE', ['Straße']],
  ['ode', ['Øde']],
  ['stop rem', []],
  [' ', ['Øde', 'Straße', "Don't Stop", 'カンタム', 'ガンダム']],
])('my edits: the filter %o finds %o', (filterText, expected) => {
  expect(listTitles(filterText)).toEqual(expected)
})
