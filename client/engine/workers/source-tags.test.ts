import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { CoverFacts, FileTags } from '../../../dsp/file-tags.ts'
import { buildFlacFileHead } from '../../../dsp/flac-file.ts'
import { encodeWavHeader, encodeWavTrailer } from '../../../dsp/wav.ts'
import { buildId3Head, measureId3TagSize } from '../id3.ts'
import { readSourceTags } from './source-tags.ts'

const TAGS = { title: '夜に駆ける 🌃', artist: 'Ünïcödé', album: 'THE BOOK', year: '2019' } as const
const PNG = new Blob([Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3])], { type: 'image/png' })

const createFlac = (tags: FileTags, cover?: Blob, facts: CoverFacts | undefined = cover) =>
  new Blob([buildFlacFileHead({ sampleRate: 44_100, channels: 2, bitsPerSample: 16, frames: 0 }, tags, facts), cover ?? '', 'packets'])

const createWav = (tags: FileTags, cover?: Blob) => {
  const flacDescription = {
    format: 'int16',
    channels: 1,
    sampleRate: 8000,
    frames: 100,
    tags,
    id3Bytes: measureId3TagSize(tags, cover),
  } as const
  const { bytesBeforeTag, bytesAfterTag } = encodeWavTrailer(flacDescription)
  return new Blob([
    encodeWavHeader(flacDescription),
    new Uint8Array(200),
    bytesBeforeTag,
    buildId3Head(tags, cover),
    cover ?? '',
    bytesAfterTag,
  ])
}

/** Packets of MP3 at 128 kbit/s and 44.1 kHz. */
const MP3_PACKETS = Array.from({ length: 3 }, () => Uint8Array.from([0xff, 0xfb, 0x90, 0x64, ...Array<number>(413).fill(0)]))
const createMp3 = (tags: FileTags, cover?: Blob) => new Blob([buildId3Head(tags, cover), cover ?? '', ...MP3_PACKETS])

function createAiff(tags: FileTags, cover?: Blob): Blob {
  const createChunkHead = (chunkId: string, chunkBytes: number) => {
    const headView = new DataView(new ArrayBuffer(8))
    for (let index = 0; index < 4; index++) headView.setUint8(index, chunkId.charCodeAt(index))
    headView.setUint32(4, chunkBytes)
    return headView
  }
  return new Blob([
    createChunkHead('FORM', 1000),
    'AIFF',
    createChunkHead('ID3 ', measureId3TagSize(tags, cover)),
    buildId3Head(tags, cover),
    cover ?? '',
  ])
}

it.each([
  ['FLAC', createFlac],
  ['WAV', createWav],
  ['MP3', createMp3],
  ['AIFF', createAiff],
])('tags of %s: texts and cover are read', async (_, createTaggedFile) => {
  const { cover, ...tagTexts } = await readSourceTags(createTaggedFile(TAGS, PNG))
  expect(tagTexts).toEqual(TAGS)
  expect(cover?.type).toBe('image/png')
  expect(await cover?.arrayBuffer()).toEqual(await PNG.arrayBuffer())
})

it('tags: texts are one line of bounded length, and the year is found in a date', async () => {
  const { title, artist, album, year } = await readSourceTags(
    createFlac({ title: `a\0b\r\n\u2028c${'x'.repeat(10_000)}`, artist: ' \n ', album: '\ud83c', year: '03/2019-04' }),
  )
  expect(title).toMatch(/^a b cx{290,}$/)
  expect(title?.length).toBeLessThanOrEqual(300)
  expect([artist, year]).toEqual([undefined, '2019'])
  expect(album).toBe('\ufffd')
})

it.each([
  ['a page', new Blob(['<html><script>'], { type: 'image/png' })],
  ['a vector graphic', new Blob(['<svg xmlns="http://www.w3.org/2000/svg"/>'], { type: 'image/svg+xml' })],
  ['a picture over 12 MB', new Blob([PNG, new Uint8Array(12 * 2 ** 20)], { type: 'image/png' })],
  ['nothing', new Blob([])],
])('tags: %s is no cover', async (_, cover) => {
  expect(await readSourceTags(createMp3(TAGS, cover))).toMatchObject({ ...TAGS, cover: undefined })
})

it('tags: a cover that is longer than its file is left out', async () => {
  expect((await readSourceTags(createFlac(TAGS, PNG, { type: 'image/png', size: 5000 }))).cover).toBeUndefined()
})

it.each([
  ['FLAC', createFlac],
  ['WAV', createWav],
  ['MP3', createMp3],
  ['AIFF', createAiff],
])('tags of %s: any damage is read without an error', async (_, createTaggedFile) => {
  const fileBytes = new Uint8Array(await createTaggedFile(TAGS, PNG).arrayBuffer())
  await fc.assert(
    fc.asyncProperty(fc.nat(fileBytes.length - 1), fc.nat(255), fc.nat(fileBytes.length), async (changedOffset, byteValue, keptLength) => {
      const damagedFile = fileBytes.slice(0, keptLength)
      damagedFile[changedOffset] = byteValue
      const { cover } = await readSourceTags(new Blob([damagedFile]))
      await cover?.arrayBuffer()
    }),
    { numRuns: 100 },
  )
})
