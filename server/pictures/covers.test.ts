import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { brands } from '../../brands/registry.ts'
import { expectFasterThan } from '../../testing/timing.ts'
import { iconPng, iconSvg } from './brand-mark.ts'
import { coverDrawings } from './cover-drawings.ts'
import { coverPalette, coverSvg, initialSvg } from './covers.ts'
import { ogPicture, sitePicture, websitePicture } from './og-picture.ts'

const seeds = Array.from({ length: 120 }, (_, index) => `seed-${index}`)
const wideSize = { width: 640, height: 360 }
const withoutColours = (svg: string) => svg.replace(/#[0-9a-f]{6}/g, '#')

/** Returns the unclosed elements, unmatched closing tags and unquoted attributes of an XML document. */
function xmlFaults(xml: string): string[] {
  const foundFaults: string[] = []
  const openElements: string[] = []
  for (const [tag, closingSlash, name, attributes = '', emptySlash] of xml.matchAll(
    /<(\/?)([\w]+)((?:\s+[\w:-]+="[^"<&]*")*)\s*(\/?)>|<[^>]*>?/g,
  )) {
    if (name === undefined) foundFaults.push(tag)
    else if (closingSlash === '/') {
      if (openElements.pop() !== name) foundFaults.push(tag)
    } else if (emptySlash !== '/') openElements.push(name)
    const names = [...attributes.matchAll(/([\w:-]+)=/g)].map((match) => match[1])
    if (new Set(names).size !== names.length) foundFaults.push(tag)
  }
  return [...foundFaults, ...openElements]
}

it("the test's own check finds faults in XML", () => {
  expect(xmlFaults('<svg><g></svg>')).not.toEqual([])
  expect(xmlFaults('<svg><g a=1/></svg>')).not.toEqual([])
  expect(xmlFaults('<svg><g a="1" a="2"/></svg>')).not.toEqual([])
  expect(xmlFaults('<svg><g a="1"/></svg>')).toEqual([])
})

describe.each(brands)('covers of $id', (brand) => {
  const palette = coverPalette(brand)

  it('covers are small, well-formed documents without NaN', () => {
    for (const seed of [...seeds, '', 'ünïcødé 音', '<script>&"']) {
      const svg = coverSvg(seed, palette, wideSize)
      expect(svg.length, seed).toBeLessThan(8_000)
      expect(xmlFaults(svg), seed).toEqual([])
      expect(svg, seed).not.toMatch(/NaN|Infinity|undefined|e-\d/)
      expect(svg, seed).not.toMatch(/<(script|image|foreignObject|style|text|use)|href|on\w+=/)
    }
  })

  // The drawings of the brands differ in their colours only, so that `npm test` renders those of one brand.
  const tags = brand === brands[0] ? [] : ['long']

  it('covers can be rendered and have more than one colour', { tags }, async () => {
    for (const seed of seeds.slice(0, 24)) {
      const { channels } = await sharp(Buffer.from(coverSvg(seed, palette, { width: 160, height: 160 }))).stats()
      expect(Math.max(...channels.slice(0, 3).map((channel) => channel.stdev)), seed).toBeGreaterThan(8)
    }
  })

  it('covers have the requested size', async () => {
    const squareMetadata = await sharp(Buffer.from(coverSvg('x', palette, { width: 320, height: 320 }))).metadata()
    expect([squareMetadata.width, squareMetadata.height]).toEqual([320, 320])
  })

  it('covers for link previews have 1200 x 630 pixels', async () => {
    const picture = await sharp({ create: { width: 1280, height: 720, channels: 3, background: '#00ff00' } })
      .jpeg()
      .toBuffer()
    const drawnMetadata = await sharp(await ogPicture(brand, 'x', undefined)).metadata()
    expect([drawnMetadata.format, drawnMetadata.width, drawnMetadata.height]).toEqual(['jpeg', 1200, 630])
    const inset = sharp(await ogPicture(brand, 'x', picture))
    const middlePixels = await inset.extract({ left: 590, top: 300, width: 10, height: 10 }).raw().toBuffer()
    expect(middlePixels[1]).toBeGreaterThan(240)
    const siteMetadata = await sharp(await sitePicture(brand)).metadata()
    expect([siteMetadata.format, siteMetadata.width, siteMetadata.height]).toEqual(['jpeg', 1200, 630])
  })

  it('portraits without a picture have the initial of a name, and link previews of websites its name and address', { tags }, async () => {
    for (const initial of ['A', 'Ä', '東', '<']) expect(xmlFaults(initialSvg(initial, 'x', palette, 160)), initial).toEqual([])
    expect(initialSvg('A', 'x', palette, 160)).not.toBe(initialSvg('B', 'x', palette, 160))
    const card = { id: 'ann', name: 'Ann & <Bo>', address: 'ann.example.com', banner: undefined, portrait: undefined }
    const preview = await websitePicture(brand, card)
    expect(await sharp(preview).metadata()).toMatchObject({ format: 'jpeg', width: 1200, height: 630 })
    for (const other of [{ name: 'Ben' }, { address: 'ann.example.org' }, { name: '夜の東京' }])
      expect((await websitePicture(brand, { ...card, ...other })).equals(preview)).toBe(false)
  })

  it('the brand has an icon, which has a safe zone if it is maskable', async () => {
    expect(xmlFaults(iconSvg(brand))).toEqual([])
    const iconMetadata = await sharp(await iconPng(brand, 192)).metadata()
    expect([iconMetadata.format, iconMetadata.width, iconMetadata.height]).toEqual(['png', 192, 192])
    const cornerPixel = async (maskable: boolean) =>
      (
        await sharp(await iconPng(brand, 192, { maskable }))
          .ensureAlpha()
          .raw()
          .toBuffer()
      )[3]
    expect(await cornerPixel(false)).toBe(0)
    expect(await cornerPixel(true)).toBe(255)
  })
})

it('covers draw the same shapes in both brands, in different colours', () => {
  const [firstPalette, otherPalette] = brands.map(coverPalette)
  if (firstPalette === undefined || otherPalette === undefined) throw new Error('two brands are needed')
  for (const seed of seeds) {
    expect(withoutColours(coverSvg(seed, firstPalette, wideSize))).toBe(withoutColours(coverSvg(seed, otherPalette, wideSize)))
    expect(coverSvg(seed, firstPalette, wideSize)).not.toBe(coverSvg(seed, otherPalette, wideSize))
    expect(coverSvg(seed, firstPalette, wideSize)).toBe(coverSvg(seed, firstPalette, wideSize))
  }
})

it('covers of different seeds are different, and use every drawing', () => {
  const palette = ['#000001', '#000002', '#000003', '#000004', '#000005'] as const
  expect(new Set(seeds.map((seed) => coverSvg(seed, palette, wideSize))).size).toBe(seeds.length)
  expect(coverDrawings).toHaveLength(8)
  const shapesOf = (svg: string) =>
    svg
      .replace(/"[^"]*"/g, '')
      .replace(/<(\w+)[^<]*(?=<)/g, '$1 ')
      .slice(0, 60)
  expect(new Set(seeds.map((seed) => shapesOf(coverSvg(seed, palette, wideSize)))).size).toBeGreaterThanOrEqual(8)
})

it('covers of successive numbers are drawn differently: no two of 96 have the same drawing and colours', () => {
  const palette = ['#000001', '#000002', '#000003', '#000004', '#000005'] as const
  // Two covers of the same seed are equal if they have the same drawing and the same colours.
  const covers = Array.from({ length: 97 }, (_, number) => coverSvg('seed', palette, wideSize, number))
  expect(new Set(covers).size).toBe(96)
  expect(covers[96]).toBe(covers[0])
})

it('covers are drawn in well under a millisecond', () => {
  const palette = ['#000001', '#000002', '#000003', '#000004', '#000005'] as const
  for (const seed of seeds) coverSvg(seed, palette, wideSize)
  const timesMs = Array.from({ length: 7 }, () => {
    const startMs = performance.now()
    for (const seed of seeds) coverSvg(seed, palette, wideSize)
    return (performance.now() - startMs) / seeds.length
  })
  expectFasterThan(Math.min(...timesMs), 1)
})
