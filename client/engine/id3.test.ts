import { expect, it } from 'vitest'
import { id3Tag } from './id3.ts'

it('id3Tag: has title, artist and the rounded tempo', () => {
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

it('id3Tag: the size is written with 7 bits in each byte', () => {
  expect([...id3Tag({ title: 'x'.repeat(100) }).subarray(6, 10)]).toEqual([0, 0, 1, 85])
})

it('id3Tag: without title, artist and tempo the tag is empty', () => {
  expect(id3Tag({ title: '' })).toHaveLength(0)
})
