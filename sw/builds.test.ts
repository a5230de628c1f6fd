import { expect, it } from 'vitest'
import { keptBuilds, parseBuilds } from './builds.ts'

it('keeps this build and the one before', () => {
  const [a, b, c] = [['/a'], ['/b', '/x'], ['/c', '/x']]
  expect(keptBuilds(a, [])).toEqual([a])
  expect(keptBuilds(b, [a])).toEqual([b, a])
  expect(keptBuilds(c, [b, a])).toEqual([c, b])
  expect(keptBuilds(c, [c, b]), 'activated twice').toEqual([c, b])
  expect(keptBuilds(b, [c, b]), 'rolled back').toEqual([b, c])
})

it('reads what it wrote, and takes anything else for nothing', () => {
  expect(parseBuilds(JSON.stringify([['/a'], ['/b']]))).toEqual([['/a'], ['/b']])
  expect(parseBuilds(undefined)).toEqual([])
  expect(parseBuilds('{"a":1}')).toEqual([])
  expect(parseBuilds('[["/a"],7,[3]]')).toEqual([['/a']])
})
