import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { brands } from '../../brands/registry.ts'
import { expectFasterThan } from '../../testing/timing.ts'
import { renderIconPng, renderIconSvg } from './brand-mark.ts'
import { coverDrawings } from './cover-drawings.ts'
import { createCoverPalette, renderCoverSvg, renderInitialSvg } from './covers.ts'
import { renderOgPicture, renderSitePicture, renderWebsitePicture } from './og-picture.ts'

const coverSeeds = Array.from({ length: 120 }, (_, index) => `seed-${index}`)
const wideSize = { width: 640, height: 360 }
const removeColours = (svg: string) => svg.replace(/#[0-9a-f]{6}/g, '#')

/** Returns the unclosed elements, unmatched closing tags and unquoted attributes of an XML document. */
function findXmlFaults(xml: string): string[] {
  const foundFaults: string[] = []
  const openElements: string[] = []
  for (const [tagText, closingSlash, tagName, attributesText = '', emptySlash] of xml.matchAll(
    /<(\/?)([\w]+)((?:\s+[\w:-]+="[^"<&]*")*)\s*(\/?)>|<[^>]*>?/g,
  )) {
    if (tagName === undefined) foundFaults.push(tagText)
    else if (closingSlash === '/') {
      if (openElements.pop() !== tagName) foundFaults.push(tagText)
    } else if (emptySlash !== '/') openElements.push(tagName)
    const names = [...attributesText.matchAll(/([\w:-]+)=/g)].map((match) => match[1])
    if (new Set(names).size !== names.length) foundFaults.push(tagText)
  }
  return [...foundFaults, ...openElements]
}

it("the test's own check finds faults in XML", () => {
  expect(findXmlFaults('<svg><g></svg>')).not.toEqual([])
  expect(findXmlFaults('<svg><g a=1/></svg>')).not.toEqual([])
  expect(findXmlFaults('<svg><g a="1" a="2"/></svg>')).not.toEqual([])
  expect(findXmlFaults('<svg><g a="1"/></svg>')).toEqual([])
})

describe.each(brands)('covers of $id', (brand) => {
  const brandPalette = createCoverPalette(brand)

  it('covers are small, well-formed documents without NaN', () => {
    for (const coverSeed of [...coverSeeds, '', 'ünïcødé 音', '<script>&"']) {
      const svg = renderCoverSvg(coverSeed, brandPalette, wideSize)
      expect(svg.length, coverSeed).toBeLessThan(8_000)
      expect(findXmlFaults(svg), coverSeed).toEqual([])
      expect(svg, coverSeed).not.toMatch(/NaN|Infinity|undefined|e-\d/)
      expect(svg, coverSeed).not.toMatch(/<(script|image|foreignObject|style|text|use)|href|on\w+=/)
    }
  })

  // The drawings of the brands differ in their colours only, so `npm test` renders the drawings of one brand only.
  const tags = brand === brands[0] ? [] : ['long']

  it('covers can be rendered and have more than one colour', { tags }, async () => {
    for (const seed of coverSeeds.slice(0, 24)) {
      const { channels } = await sharp(Buffer.from(renderCoverSvg(seed, brandPalette, { width: 160, height: 160 }))).stats()
      expect(Math.max(...channels.slice(0, 3).map((channel) => channel.stdev)), seed).toBeGreaterThan(8)
    }
  })

  it('covers have the requested size', async () => {
    const squareMetadata = await sharp(Buffer.from(renderCoverSvg('x', brandPalette, { width: 320, height: 320 }))).metadata()
    expect([squareMetadata.width, squareMetadata.height]).toEqual([320, 320])
  })

  it('covers for link previews have 1200 x 630 pixels', async () => {
    const picture = await sharp({ create: { width: 1280, height: 720, channels: 3, background: '#00ff00' } })
      .jpeg()
      .toBuffer()
    const drawnMetadata = await sharp(await renderOgPicture(brand, 'x', undefined)).metadata()
    expect([drawnMetadata.format, drawnMetadata.width, drawnMetadata.height]).toEqual(['jpeg', 1200, 630])
    const insetPicture = sharp(await renderOgPicture(brand, 'x', picture))
    const middlePixels = await insetPicture.extract({ left: 590, top: 300, width: 10, height: 10 }).raw().toBuffer()
    expect(middlePixels[1]).toBeGreaterThan(240)
    const siteMetadata = await sharp(await renderSitePicture(brand)).metadata()
    expect([siteMetadata.format, siteMetadata.width, siteMetadata.height]).toEqual(['jpeg', 1200, 630])
  })

  it('portraits without a picture have the initial of a name, and link previews of websites its name and address', { tags }, async () => {
    for (const initial of ['A', 'Ä', '東', '<'])
      expect(findXmlFaults(renderInitialSvg(initial, 'x', brandPalette, 160)), initial).toEqual([])
    expect(renderInitialSvg('A', 'x', brandPalette, 160)).not.toBe(renderInitialSvg('B', 'x', brandPalette, 160))
    const websiteCard = { id: 'ann', name: 'Ann & <Bo>', address: 'ann.example.com', banner: undefined, portrait: undefined }
    const websitePreview = await renderWebsitePicture(brand, websiteCard)
    expect(await sharp(websitePreview).metadata()).toMatchObject({ format: 'jpeg', width: 1200, height: 630 })
    for (const other of [{ name: 'Ben' }, { address: 'ann.example.org' }, { name: '夜の東京' }])
      expect((await renderWebsitePicture(brand, { ...websiteCard, ...other })).equals(websitePreview)).toBe(false)
  })

  it('the brand has an icon, which has a safe zone if it is maskable', async () => {
    expect(findXmlFaults(renderIconSvg(brand))).toEqual([])
    const iconMetadata = await sharp(await renderIconPng(brand, 192)).metadata()
    expect([iconMetadata.format, iconMetadata.width, iconMetadata.height]).toEqual(['png', 192, 192])
    const readCornerPixel = async (isMaskable: boolean) =>
      (
        await sharp(await renderIconPng(brand, 192, { isMaskable }))
          .ensureAlpha()
          .raw()
          .toBuffer()
      )[3]
    expect(await readCornerPixel(false)).toBe(0)
    expect(await readCornerPixel(true)).toBe(255)
  })
})

it('covers draw the same shapes in both brands, in different colours', () => {
  const [firstPalette, otherPalette] = brands.map(createCoverPalette)
  if (firstPalette === undefined || otherPalette === undefined) throw new Error('two brands are needed')
  for (const coverSeed of coverSeeds) {
    expect(removeColours(renderCoverSvg(coverSeed, firstPalette, wideSize))).toBe(
      removeColours(renderCoverSvg(coverSeed, otherPalette, wideSize)),
    )
    expect(renderCoverSvg(coverSeed, firstPalette, wideSize)).not.toBe(renderCoverSvg(coverSeed, otherPalette, wideSize))
    expect(renderCoverSvg(coverSeed, firstPalette, wideSize)).toBe(renderCoverSvg(coverSeed, firstPalette, wideSize))
  }
})

it('covers of different seeds are different, and use every drawing', () => {
  const testPalette = ['#000001', '#000002', '#000003', '#000004', '#000005'] as const
  expect(new Set(coverSeeds.map((seed) => renderCoverSvg(seed, testPalette, wideSize))).size).toBe(coverSeeds.length)
  expect(coverDrawings).toHaveLength(8)
  const listShapes = (svg: string) =>
    svg
      .replace(/"[^"]*"/g, '')
      .replace(/<(\w+)[^<]*(?=<)/g, '$1 ')
      .slice(0, 60)
  expect(new Set(coverSeeds.map((seed) => listShapes(renderCoverSvg(seed, testPalette, wideSize)))).size).toBeGreaterThanOrEqual(8)
})

it('covers of successive numbers are drawn differently: no two of 96 have the same drawing and colours', () => {
  const testPalette = ['#000001', '#000002', '#000003', '#000004', '#000005'] as const
  // Two covers of the same seed are equal if they have the same drawing and the same colours.
  const covers = Array.from({ length: 97 }, (_, number) => renderCoverSvg('seed', testPalette, wideSize, number))
  expect(new Set(covers).size).toBe(96)
  expect(covers[96]).toBe(covers[0])
})

it('covers are drawn in well under a millisecond', () => {
  const testPalette = ['#000001', '#000002', '#000003', '#000004', '#000005'] as const
  for (const seed of coverSeeds) renderCoverSvg(seed, testPalette, wideSize)
  const drawDurationsMs = Array.from({ length: 7 }, () => {
    const startMs = performance.now()
    for (const seed of coverSeeds) renderCoverSvg(seed, testPalette, wideSize)
    return (performance.now() - startMs) / coverSeeds.length
  })
  expectFasterThan(Math.min(...drawDurationsMs), 1)
})
