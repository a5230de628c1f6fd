import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { describe, expect, it } from 'vitest'
import { ContentSettings } from '../contract/content.ts'
import { LINK_PATTERN, type SettingKey, Settings, Site } from '../contract/site.ts'
import { parseVideoId } from '../contract/youtube.ts'
import { type DesignTokenName, designTokenNames } from './brand.ts'
import { createBrandContent } from './content.ts'
import { brands, findBrandOfHost } from './registry.ts'

/** Returns the relative luminance of a `#rrggbb` colour as WCAG 2.2 defines it. */
function computeRelativeLuminance(hexColour: string): number {
  const readLinearComponent = (hexOffset: number) => {
    const value = Number.parseInt(hexColour.slice(hexOffset, hexOffset + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  return 0.2126 * readLinearComponent(1) + 0.7152 * readLinearComponent(3) + 0.0722 * readLinearComponent(5)
}

function computeContrastRatio(firstHex: string, otherHex: string): number {
  const [dark, light] = [computeRelativeLuminance(firstHex), computeRelativeLuminance(otherHex)].sort((a, b) => a - b)
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05)
}

it('contrast: ratios match examples of WCAG 2.2', () => {
  expect(computeContrastRatio('#000000', '#ffffff')).toBeCloseTo(21, 5)
  expect(computeContrastRatio('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
})

it('brands: the host name selects the brand', () => {
  expect(findBrandOfHost('slowedreverb.localhost').id).toBe('slowed-reverb-meridian')
  expect(findBrandOfHost('FM.SlowedReverbMeridian.example').id).toBe('slowed-reverb-meridian')
  expect(findBrandOfHost('localhost').id).toBe('nightcore-meridian')
  expect(findBrandOfHost('').id).toBe('nightcore-meridian')
})

it('brands: exactly one is the default, and ids are unique', () => {
  expect(brands.filter((brand) => brand.hostWord === undefined)).toHaveLength(1)
  expect(new Set(brands.map((brand) => brand.id)).size).toBe(brands.length)
})

describe.each(brands)('brand $id', (brand) => {
  it("every brand's settings and texts match the schema", () => {
    expect([...Value.Errors(Settings, brand.settings)]).toEqual([])
    expect([...Value.Errors(Site.properties.texts, brand.texts)]).toEqual([])
    expect(Object.values(brand.texts).filter((text) => text === '')).toEqual([])
    expect(Object.keys(brand.settings).sort()).toEqual(Object.keys(Settings.properties).sort())
  })

  it('no brand has settings that the schema does not know', () => {
    expect(Object.keys(brand.settings).filter((key) => !(key in Settings.properties))).toEqual([])
  })

  it('every brand sets every design token, and sets nothing that is not a token', () => {
    expect(Object.keys(brand.tokens).sort()).toEqual([...designTokenNames].sort())
    for (const name of designTokenNames) expect(brand.tokens[name], name).not.toBe('')
  })

  it.each(['text', 'muted', 'accent', 'bad', 'good'] as const)(
    'colour %s has a contrast of at least 4.5 on every surface',
    (name: DesignTokenName) => {
      for (const surface of ['surface-0', 'surface-1', 'surface-2', 'surface-3'] as const) {
        expect(computeContrastRatio(brand.tokens[name], brand.tokens[surface]), surface).toBeGreaterThanOrEqual(4.5)
      }
    },
  )

  it('in the colours of every brand, edges have a contrast of at least 3 to 1, and text on the accent colour of at least 4.5 to 1', () => {
    for (const surface of ['surface-0', 'surface-1', 'surface-2', 'surface-3'] as const) {
      expect(computeContrastRatio(brand.tokens.edge, brand.tokens[surface]), surface).toBeGreaterThanOrEqual(3)
    }
    expect(computeContrastRatio(brand.tokens['accent-ink'], brand.tokens.accent)).toBeGreaterThanOrEqual(4.5)
  })

  it('the range of the ruler on the home page contains the default speed of the maker', () => {
    expect(brand.hero.from_rate).toBeLessThan(brand.hero.rate)
    expect(brand.hero.to_rate).toBeGreaterThan(brand.hero.rate)
    expect(brand.settings.MAKER_SPEED).toBe(brand.hero.rate)
  })

  it('links are https URLs or paths of the site, and the intro video is a valid video id', () => {
    const { settings } = brand
    const linkSettingKeys = (Object.keys(Settings.properties) as SettingKey[]).filter((settingKey) => {
      const schema: TSchema & { pattern?: unknown } = Settings.properties[settingKey]
      return schema.pattern === LINK_PATTERN
    })
    expect(linkSettingKeys).toContain('HERO_LINK')
    const links = [
      ...linkSettingKeys.map((key) => settings[key]),
      ...settings.DONATE_LINKS.map((link) => link.url),
      ...settings.FOOTER_LINKS.map((link) => link.url),
    ]
    for (const link of links) expect(link).toMatch(/^(https:\/\/|\/(?!\/)|$)/)
    expect(settings.HERO_LINK).toBe(settings.WHAT_IS_PATH)
    expect(settings.DISCORD_WIDGET_ID).toMatch(/^(\d{17,20}|)$/)
    if (settings.INTRO_VIDEO !== '') expect(parseVideoId(settings.INTRO_VIDEO)).toBeDefined()
  })

  it('the long texts of every brand fit their schemas and state the facts of the product', () => {
    const content = createBrandContent(brand.id)
    expect([...Value.Errors(ContentSettings, content)]).toEqual([])
    expect(content.FAQ.map(({ section }) => section)).toEqual(content.FAQ.map(({ section }) => section).toSorted())
    expect(content.FAQ.map(({ answer }) => answer).join('')).toMatch(/100 subscribers/)
    expect(
      content.PLANS.map(({ title, price, period, roles, most_popular }) => [title, price, period, roles.join(), most_popular]),
    ).toEqual([
      ['Premium', '6.99 EUR', 'per month', 'Subscriber', false],
      ['Premium+', '9.99 EUR', 'per month', 'Subscriber,Donator', true],
      ['Donate', 'A custom amount', '', 'Donator', false],
    ])
    expect(content.TIMELINE.map(({ date }) => date)).toEqual(content.TIMELINE.map(({ date }) => date).toSorted())
    expect(content.PRIVACY.content).toContain('answered within one month')
    expect(content.PRIVACY.content).toContain('children under 13')
  })

  it('the page about the genre has more than 500 words and states the tempo and the playback rate', () => {
    const brandContent = createBrandContent(brand.id)
      .WHAT_IS_CONTENT.replace(/<[^>]+>/g, ' ')
      .split(/\s+/)
    expect(brandContent.length).toBeGreaterThan(500)
    expect(createBrandContent(brand.id).WHAT_IS_CONTENT).toContain('140 to 160')
    expect(createBrandContent(brand.id).WHAT_IS_CONTENT).toContain('20 to 35 percent')
    expect(createBrandContent(brand.id).WHAT_IS_CONTENT).not.toMatch(/<script|<style|\son\w+=|style=/i)
  })
})
