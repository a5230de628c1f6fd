import { expect, it } from 'vitest'
import { parseBuilds, selectRetainedBuilds } from './builds.ts'

it('builds: the current build and the previous one are retained', () => {
  const [firstBuild, secondBuild, thirdBuild] = [['/a'], ['/b', '/x'], ['/c', '/x']]
  expect(selectRetainedBuilds(firstBuild, [])).toEqual([firstBuild])
  expect(selectRetainedBuilds(secondBuild, [firstBuild])).toEqual([secondBuild, firstBuild])
  expect(selectRetainedBuilds(thirdBuild, [secondBuild, firstBuild])).toEqual([thirdBuild, secondBuild])
  expect(selectRetainedBuilds(thirdBuild, [thirdBuild, secondBuild]), 'activated twice').toEqual([thirdBuild, secondBuild])
  expect(selectRetainedBuilds(secondBuild, [thirdBuild, secondBuild]), 'rolled back').toEqual([secondBuild, thirdBuild])
})

it('builds: a stored record of an unexpected shape counts as no builds', () => {
  expect(parseBuilds(JSON.stringify([['/a'], ['/b']]))).toEqual([['/a'], ['/b']])
  expect(parseBuilds(undefined)).toEqual([])
  expect(parseBuilds('{"a":1}')).toEqual([])
  expect(parseBuilds('[["/a"],7,[3]]')).toEqual([['/a']])
})
