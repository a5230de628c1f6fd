import { expect, it } from 'vitest'
import { buildId3Tag, readFileTags, readId3Tags } from './id3.ts'

it('buildId3Tag: the tag has title, artist and the rounded tempo', () => {
  const tag = buildId3Tag({ title: 'Ä', artist: 'B', bpm: 149.6 })
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

it('buildId3Tag: the size is written with 7 bits in each byte', () => {
  expect([...buildId3Tag({ title: 'x'.repeat(100) }).subarray(6, 10)]).toEqual([0, 0, 1, 85])
})

it('buildId3Tag: without title, artist and tempo the tag is empty', () => {
  expect(buildId3Tag({ title: '' })).toHaveLength(0)
})

/**
 * Returns an ID3v2 tag of one frame.
 *
 * @param head version and flags, the name of the frame and the bytes before its text
 */
const tagOf = (version: number, flags: number, frame: readonly number[], text: readonly number[]) =>
  Uint8Array.from([0x49, 0x44, 0x33, version, 0, flags, 0, 0, 0, 100, ...frame, ...text])
const codes = (text: string) => [...text].map((character) => character.charCodeAt(0))

it('readId3Tags: title and artist are read from the tags that buildId3Tag writes', () => {
  expect(readId3Tags(buildId3Tag({ title: 'Ä 夜', artist: 'B', bpm: 120 }))).toEqual({ title: 'Ä 夜', artist: 'B' })
})

it.each([
  ['version 2.2', tagOf(2, 0, [...codes('TT2'), 0, 0, 8], [0, ...codes('Beyonc\xe9')])],
  [
    'version 2.3, with an extended header',
    tagOf(3, 0x40, [0, 0, 0, 6, 0, 0, 0, 0, 0, 0, ...codes('TIT2'), 0, 0, 0, 8, 0, 0], [0, ...codes('Beyonc\xe9')]),
  ],
  ['version 2.4, in UTF-8', tagOf(4, 0, [...codes('TIT2'), 0, 0, 0, 10, 0, 0], [3, ...new TextEncoder().encode('Beyoncé'), 0])],
  [
    'big-endian UTF-16',
    tagOf(3, 0, [...codes('TIT2'), 0, 0, 0, 17, 0, 0], [1, 0xfe, 0xff, ...[...'Beyoncé'].flatMap((letter) => [0, letter.charCodeAt(0)])]),
  ],
  [
    'an unsynchronised tag',
    tagOf(
      3,
      0x80,
      [...codes('TIT2'), 0, 0, 0, 17, 0, 0],
      [1, 0xff, 0, 0xfe, ...[...'Beyoncé'].flatMap((letter) => [letter.charCodeAt(0), 0])],
    ),
  ],
])('readId3Tags: %s', (_, tag) => {
  expect(readId3Tags(tag)).toEqual({ title: 'Beyoncé' })
})

it('readFileTags: the ID3v1 tag at the end is read if there is no ID3v2 tag at the start', async () => {
  const end = [...codes('TAGRoyals'), ...Array<number>(24).fill(0), ...codes('Lorde'), ...Array<number>(90).fill(0)]
  expect(end).toHaveLength(128)
  expect(await readFileTags(new Blob([new Uint8Array(500), Uint8Array.from(end)]))).toEqual({ title: 'Royals', artist: 'Lorde' })
  expect(await readFileTags(new Blob([buildId3Tag({ title: 'A' }), Uint8Array.from(end)]))).toEqual({ title: 'A' })
  expect(await readFileTags(new Blob([new Uint8Array(50)]))).toEqual({})
})
