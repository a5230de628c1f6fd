import { expect, it } from 'vitest'
import { buildId3Head, measureId3TagSize } from './id3.ts'

const toHex = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

it('buildId3Head: the tag has title, artist and the rounded tempo', () => {
  expect(toHex(buildId3Head({ title: 'Ä', artist: 'B', bpm: 149.6 }))).toBe(
    [
      '494433' + '0300' + '00' + '00000031',
      '54495432' + '00000005' + '0000' + '01fffe' + 'c400',
      '54504531' + '00000005' + '0000' + '01fffe' + '4200',
      '5442504d' + '00000009' + '0000' + '01fffe' + '310035003000',
    ].join(''),
  )
})

it('buildId3Head: the frame of the cover is the last one; the bytes of the cover are counted in the size but not included', () => {
  const head = buildId3Head({ year: '2019-03-01' }, { type: 'image/png', size: 1000 })
  expect(toHex(head)).toBe(
    [
      `494433${'0300'}00${'00000814'}`,
      `54594552${'0000000b'}0000${'01fffe'}3200300031003900`,
      `41504943${'000003f5'}0000${'00'}${'696d6167652f706e67'}00${'03'}00`,
    ].join(''),
  )
  expect(measureId3TagSize({ year: '2019-03-01' }, { type: 'image/png', size: 1000 })).toBe(head.length + 1000)
})

it('buildId3Head: the size is written with 7 bits in each byte', () => {
  expect([...buildId3Head({ title: 'x'.repeat(100) }).subarray(6, 10)]).toEqual([0, 0, 1, 85])
})

it('buildId3Head: without tags the result is empty', () => {
  expect(buildId3Head({ title: '' })).toHaveLength(0)
})
