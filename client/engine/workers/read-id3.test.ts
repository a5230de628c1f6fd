import fc from 'fast-check'
import { expect, it } from 'vitest'
import { buildId3Head } from '../id3.ts'
import { readId3v1, readId3v2 } from './read-id3.ts'

/** Returns a tag with one frame. @param flags the flags of the tag @param frame the name of the frame and the bytes before its content */
const encodeTag = (version: number, flags: number, frame: readonly number[], content: readonly number[]) =>
  new Blob([Uint8Array.from([0x49, 0x44, 0x33, version, 0, flags, 0, 0, 0, frame.length + content.length, ...frame, ...content])])
const toCodes = (text: string) => [...text].map((character) => character.charCodeAt(0))

it('readId3v2: the texts and the cover of a tag that buildId3Head has built are read', async () => {
  const writtenTags = { title: 'Ä 夜 🌃', artist: 'B', album: 'C', year: '1998' }
  const pictureBlob = new Blob(['picture'], { type: 'image/png' })
  const { cover, ...texts } = await readId3v2(new Blob([buildId3Head({ ...writtenTags, bpm: 120 }, pictureBlob), pictureBlob, 'sound']))
  expect(texts).toEqual(writtenTags)
  expect(await cover?.text()).toBe('picture')
})

it.each([
  ['version 2.2', encodeTag(2, 0, [...toCodes('TT2'), 0, 0, 8], [0, ...toCodes('Beyonc\xe9')])],
  [
    'version 2.3, with an extended header',
    encodeTag(3, 0x40, [0, 0, 0, 6, 0, 0, 0, 0, 0, 0, ...toCodes('TIT2'), 0, 0, 0, 8, 0, 0], [0, ...toCodes('Beyonc\xe9')]),
  ],
  ['version 2.4, in UTF-8', encodeTag(4, 0, [...toCodes('TIT2'), 0, 0, 0, 10, 0, 0], [3, ...new TextEncoder().encode('Beyoncé'), 0])],
  [
    'version 2.4, with a length and unsynchronised UTF-16',
    encodeTag(
      4,
      0,
      [...toCodes('TIT2'), 0, 0, 0, 22, 0, 3, 0, 0, 0, 17],
      [1, 0xff, 0, 0xfe, ...[...'Beyoncé'].flatMap((letter) => [letter.charCodeAt(0), 0])],
    ),
  ],
  [
    'big-endian UTF-16',
    encodeTag(
      3,
      0,
      [...toCodes('TIT2'), 0, 0, 0, 17, 0, 0],
      [1, 0xfe, 0xff, ...[...'Beyoncé'].flatMap((letter) => [0, letter.charCodeAt(0)])],
    ),
  ],
  [
    'an unsynchronised tag',
    encodeTag(
      3,
      0x80,
      [...toCodes('TIT2'), 0, 0, 0, 17, 0, 0],
      [1, 0xff, 0, 0xfe, ...[...'Beyoncé'].flatMap((letter) => [letter.charCodeAt(0), 0])],
    ),
  ],
])('readId3v2: the title is read from a tag of this kind: %s', async (_, tag) => {
  expect(await readId3v2(tag)).toEqual({ title: 'Beyoncé', cover: undefined })
})

it('readId3v2: sizes of version 2.4 that were written with 8 bits in each byte are read', async () => {
  const pictureText = 'x'.repeat(300)
  const pictureFrame = [...toCodes('APIC'), 0, 0, 1, 0x37, 0, 0, 0, ...toCodes('image/p'), 0, 3, 0, ...toCodes(pictureText)]
  const titleFrame = [...toCodes('TIT2'), 0, 0, 0, 2, 0, 0, 0, ...toCodes('A')]
  const frameBytes = pictureFrame.length + titleFrame.length
  const tag = [...toCodes('ID3'), 4, 0, 0, 0, 0, frameBytes >> 7, frameBytes & 0x7f, ...pictureFrame, ...titleFrame]
  const { title: found, cover } = await readId3v2(new Blob([Uint8Array.from(tag)]))
  expect([found, await cover?.text()]).toEqual(['A', pictureText])
})

it('readId3v2: the front cover is preferred to other pictures', async () => {
  const encodePictureFrame = (pictureType: number, pictureText: string) => [
    ...toCodes('PIC'),
    ...[0, 0, 6 + pictureText.length, 0],
    ...toCodes('PNG'),
    ...[pictureType, 0],
    ...toCodes(pictureText),
  ]
  const frames = [...encodePictureFrame(4, 'back'), ...encodePictureFrame(3, 'front'), ...encodePictureFrame(0, 'other')]
  const { cover } = await readId3v2(new Blob([Uint8Array.from([...toCodes('ID3'), 2, 0, 0, 0, 0, 0, frames.length, ...frames])]))
  expect(await cover?.text()).toBe('front')
})

it('readId3v2: any damaged tag is read without an error', async () => {
  const pictureBlob = new Blob(['picture'], { type: 'image/png' })
  const tagBytes = new Uint8Array(await new Blob([buildId3Head({ title: 'A', album: 'B' }, pictureBlob), pictureBlob]).arrayBuffer())
  await fc.assert(
    fc.asyncProperty(fc.nat(tagBytes.length - 1), fc.nat(255), fc.nat(tagBytes.length), async (changedOffset, byteValue, keptLength) => {
      const damagedTag = tagBytes.slice(0, keptLength)
      damagedTag[changedOffset] = byteValue
      const { cover } = await readId3v2(new Blob([damagedTag]))
      await cover?.arrayBuffer()
    }),
    { numRuns: 300 },
  )
})

it('readId3v1: title, artist, album and year are read', async () => {
  const padText = (text: string, length: number) => [...toCodes(text), ...Array<number>(length - text.length).fill(0)]
  const endTag = [
    ...toCodes('TAG'),
    ...padText('Royals', 30),
    ...padText('Lorde', 30),
    ...padText('', 30),
    ...padText('2013', 4),
    ...padText('', 31),
  ]
  expect(await readId3v1(new Blob([new Uint8Array(500), Uint8Array.from(endTag)]))).toMatchObject({
    title: 'Royals',
    artist: 'Lorde',
    year: '2013',
  })
  expect(await readId3v1(new Blob([new Uint8Array(50)]))).toEqual({})
})
