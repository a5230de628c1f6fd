import { expect, it } from 'vitest'
import { parseBuilds, selectRetainedBuilds } from './builds.ts'

it('builds: the current build and the previous one are retained', () => {
  const [a, b, c] = [['/a'], ['/b', '/x'], ['/c', '/x']]
  expect(selectRetainedBuilds(a, [])).toEqual([a])
  expect(selectRetainedBuilds(b, [a])).toEqual([b, a])
  expect(selectRetainedBuilds(c, [b, a])).toEqual([c, b])
  expect(selectRetainedBuilds(c, [c, b]), 'activated twice').toEqual([c, b])
  expect(selectRetainedBuilds(b, [c, b]), 'rolled back').toEqual([b, c])
})

it('builds: a stored record of an unexpected shape counts as no builds', () => {
  expect(parseBuilds(JSON.stringify([['/a'], ['/b']]))).toEqual([['/a'], ['/b']])
  expect(parseBuilds(undefined)).toEqual([])
  expect(parseBuilds('{"a":1}')).toEqual([])
  expect(parseBuilds('[["/a"],7,[3]]')).toEqual([['/a']])
})
