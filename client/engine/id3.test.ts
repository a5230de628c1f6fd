import { expect, it } from 'vitest'
import { id3Tag } from './id3.ts'

it('holds title, artist and whole beats', () => {
  const tag = id3Tag({ title: 'Ä', artist: 'B', bpm: 149.6 })
  const hex = [...tag].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  expect(hex).toBe(
    [
      '494433' + '0300' + '00' + '00000031',
      '54495432' + '00000005' + '0000' + '01fffe' + 'c400',
      '54504531' + '00000005' + '0000' + '01fffe' + '4200',
      '5442504d' + '00000009' + '0000' + '01fffe' + '310035003000',
    ].join(''),
  )
})

it('a long title has a size of 7 bits to a byte', () => {
  expect([...id3Tag({ title: 'x'.repeat(100) }).subarray(6, 10)]).toEqual([0, 0, 1, 85])
})

it('is empty where there is nothing to say', () => {
  expect(id3Tag({ title: '' })).toHaveLength(0)
})
