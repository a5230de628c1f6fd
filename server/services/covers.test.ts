import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { brands } from '../../brands/registry.ts'
import { iconPng, iconSvg } from './brand-mark.ts'
import { drawings } from './cover-drawings.ts'
import { artPalette, coverSvg } from './covers.ts'
import { ogPicture, sitePicture } from './og-picture.ts'

const seeds = Array.from({ length: 120 }, (_, index) => `seed-${index}`)
const wide = { width: 640, height: 360 }
const withoutColours = (svg: string) => svg.replace(/#[0-9a-f]{6}/g, '#')

/** Elements that are opened and never closed, or closed without having been opened; attributes that are not quoted. */
function xmlFaults(xml: string): string[] {
  const faults: string[] = []
  const open: string[] = []
  for (const [tag, closing, name, attributes = '', empty] of xml.matchAll(/<(\/?)([\w]+)((?:\s+[\w:-]+="[^"<&]*")*)\s*(\/?)>|<[^>]*>?/g)) {
    if (name === undefined) faults.push(tag)
    else if (closing === '/') {
      if (open.pop() !== name) faults.push(tag)
    } else if (empty !== '/') open.push(name)
    const names = [...attributes.matchAll(/([\w:-]+)=/g)].map((match) => match[1])
    if (new Set(names).size !== names.length) faults.push(tag)
  }
  return [...faults, ...open]
}

it('finds faults in XML', () => {
  expect(xmlFaults('<svg><g></svg>')).not.toEqual([])
  expect(xmlFaults('<svg><g a=1/></svg>')).not.toEqual([])
  expect(xmlFaults('<svg><g a="1" a="2"/></svg>')).not.toEqual([])
  expect(xmlFaults('<svg><g a="1"/></svg>')).toEqual([])
})

describe.each(brands)('covers of $id', (brand) => {
  const palette = artPalette(brand)

  it('are small, well-formed documents without numbers that are none', () => {
    for (const seed of [...seeds, '', 'ünïcødé 音', '<script>&"']) {
      const svg = coverSvg(seed, palette, wide)
      expect(svg.length, seed).toBeLessThan(8_000)
      expect(xmlFaults(svg), seed).toEqual([])
      expect(svg, seed).not.toMatch(/NaN|Infinity|undefined|e-\d/)
      expect(svg, seed).not.toMatch(/<(script|image|foreignObject|style|text|use)|href|on\w+=/)
    }
  })

  it('can be drawn, and are not one flat colour', async () => {
    for (const seed of seeds.slice(0, 24)) {
      const { channels } = await sharp(Buffer.from(coverSvg(seed, palette, { width: 160, height: 160 }))).stats()
      expect(Math.max(...channels.slice(0, 3).map((channel) => channel.stdev)), seed).toBeGreaterThan(8)
    }
  })

  it('have the size that was asked for', async () => {
    const square = await sharp(Buffer.from(coverSvg('x', palette, { width: 320, height: 320 }))).metadata()
    expect([square.width, square.height]).toEqual([320, 320])
  })

  it('come as link pictures of 1200 x 630', async () => {
    const picture = await sharp({ create: { width: 1280, height: 720, channels: 3, background: '#00ff00' } })
      .jpeg()
      .toBuffer()
    const drawn = await sharp(await ogPicture(brand, 'x', undefined)).metadata()
    expect([drawn.format, drawn.width, drawn.height]).toEqual(['jpeg', 1200, 630])
    const inset = sharp(await ogPicture(brand, 'x', picture))
    const middle = await inset.extract({ left: 590, top: 300, width: 10, height: 10 }).raw().toBuffer()
    expect(middle[1]).toBeGreaterThan(240)
    const site = await sharp(await sitePicture(brand)).metadata()
    expect([site.format, site.width, site.height]).toEqual(['jpeg', 1200, 630])
  })

  it('have an icon, with room around it where a mask may cut', async () => {
    expect(xmlFaults(iconSvg(brand))).toEqual([])
    const icon = await sharp(await iconPng(brand, 192)).metadata()
    expect([icon.format, icon.width, icon.height]).toEqual(['png', 192, 192])
    const corner = async (maskable: boolean) =>
      (
        await sharp(await iconPng(brand, 192, { maskable }))
          .ensureAlpha()
          .raw()
          .toBuffer()
      )[3]
    expect(await corner(false)).toBe(0)
    expect(await corner(true)).toBe(255)
  })
})

it('draws the same in both brands, in other colours', () => {
  const [one, other] = brands.map(artPalette)
  if (one === undefined || other === undefined) throw new Error('two brands are needed')
  for (const seed of seeds) {
    expect(withoutColours(coverSvg(seed, one, wide))).toBe(withoutColours(coverSvg(seed, other, wide)))
    expect(coverSvg(seed, one, wide)).not.toBe(coverSvg(seed, other, wide))
    expect(coverSvg(seed, one, wide)).toBe(coverSvg(seed, one, wide))
  }
})

it('draws differently from seed to seed, and uses every drawing', () => {
  const palette = ['#000001', '#000002', '#000003', '#000004', '#000005'] as const
  expect(new Set(seeds.map((seed) => coverSvg(seed, palette, wide))).size).toBe(seeds.length)
  expect(drawings).toHaveLength(8)
  const shapes = (svg: string) =>
    svg
      .replace(/"[^"]*"/g, '')
      .replace(/<(\w+)[^<]*(?=<)/g, '$1 ')
      .slice(0, 60)
  expect(new Set(seeds.map((seed) => shapes(coverSvg(seed, palette, wide)))).size).toBeGreaterThanOrEqual(8)
})

it('draws in well under a millisecond', () => {
  const palette = ['#000001', '#000002', '#000003', '#000004', '#000005'] as const
  for (const seed of seeds) coverSvg(seed, palette, wide)
  const times = Array.from({ length: 7 }, () => {
    const start = performance.now()
    for (const seed of seeds) coverSvg(seed, palette, wide)
    return (performance.now() - start) / seeds.length
  })
  expect(Math.min(...times)).toBeLessThan(1)
})
