import { expect, it } from 'vitest'
import { cutMiddle } from './cut-middle.ts'

it('cutMiddle: long names lose their middle, and no character is cut into halves', () => {
  expect(cutMiddle('City Lights at 4 AM.mp3')).toBe('City Lights at 4 AM.mp3')
  expect(cutMiddle(`City Lights ${'very '.repeat(20)}long (Slowed).mp3`)).toMatch(/^City Lights very .* … .*long \(Slowed\)\.mp3$/)
  expect(cutMiddle('🎵'.repeat(90))).toBe(`${'🎵'.repeat(29)} … ${'🎵'.repeat(29)}`)
})
