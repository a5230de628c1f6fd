import { Value } from 'typebox/value'
import { describe, expect, it } from 'vitest'
import { Settings, Site } from '../contract/site.ts'
import { parseVideoId } from '../contract/youtube.ts'
import { type TokenName, tokenNames } from './brand.ts'
import { brandOfHost, brands } from './registry.ts'

/** Relative luminance and contrast ratio as WCAG 2.2 defines them. */
function luminance(hex: string): number {
  const channel = (from: number) => {
    const value = Number.parseInt(hex.slice(from, from + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  return 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
}

function contrast(one: string, other: string): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05)
}

it('computes contrast as WCAG does', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5)
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
})

it('chooses by host name', () => {
  expect(brandOfHost('slowedreverb.localhost').id).toBe('slowed-reverb-meridian')
  expect(brandOfHost('FM.SlowedReverbMeridian.example').id).toBe('slowed-reverb-meridian')
  expect(brandOfHost('localhost').id).toBe('nightcore-meridian')
  expect(brandOfHost('').id).toBe('nightcore-meridian')
})

it('has one default brand and distinct ids', () => {
  expect(brands.filter((brand) => brand.hostWord === undefined)).toHaveLength(1)
  expect(new Set(brands.map((brand) => brand.id)).size).toBe(brands.length)
})

describe.each(brands)('$id', (brand) => {
  it('fills every setting and text as the contract says', () => {
    expect([...Value.Errors(Settings, brand.settings)]).toEqual([])
    expect([...Value.Errors(Site.properties.texts, brand.texts)]).toEqual([])
    expect(Object.values(brand.texts).filter((text) => text === '')).toEqual([])
    expect(Object.keys(brand.settings).sort()).toEqual(Object.keys(Settings.properties).sort())
  })

  it('has no setting outside the known ones', () => {
    expect(Object.keys(brand.settings).filter((key) => !(key in Settings.properties))).toEqual([])
  })

  it('fills every token and no other', () => {
    expect(Object.keys(brand.tokens).sort()).toEqual([...tokenNames].sort())
    for (const name of tokenNames) expect(brand.tokens[name], name).not.toBe('')
  })

  it.each(['text', 'muted', 'accent', 'bad', 'good'] as const)('%s is readable on every surface', (name: TokenName) => {
    for (const surface of ['surface-0', 'surface-1', 'surface-2', 'surface-3'] as const) {
      expect(contrast(brand.tokens[name], brand.tokens[surface]), surface).toBeGreaterThanOrEqual(4.5)
    }
  })

  it('has visible edges and readable ink', () => {
    for (const surface of ['surface-0', 'surface-1', 'surface-2', 'surface-3'] as const) {
      expect(contrast(brand.tokens.edge, brand.tokens[surface]), surface).toBeGreaterThanOrEqual(3)
    }
    expect(contrast(brand.tokens['accent-ink'], brand.tokens.accent)).toBeGreaterThanOrEqual(4.5)
  })

  it('marks a range on the ruler that holds the rate of the maker', () => {
    expect(brand.hero.from_rate).toBeLessThan(brand.hero.rate)
    expect(brand.hero.to_rate).toBeGreaterThan(brand.hero.rate)
    expect(brand.settings.MAKER_SPEED).toBe(brand.hero.rate)
  })

  it('links only to https and own paths, and names an intro video that can be one', () => {
    const { settings } = brand
    const links = [
      settings.HERO_LINK,
      settings.SOCIAL_DISCORD,
      settings.SOCIAL_INSTAGRAM,
      settings.SOCIAL_X,
      settings.SOCIAL_TIKTOK,
      settings.CHECKOUT_PREMIUM,
      settings.CHECKOUT_PREMIUM_PLUS,
      settings.CHECKOUT_DONATE,
      ...settings.DONATE_LINKS.map((link) => link.url),
      ...settings.FOOTER_LINKS.map((link) => link.url),
    ]
    for (const link of links) expect(link).toMatch(/^(https:\/\/|\/(?!\/)|$)/)
    expect(settings.HERO_LINK).toBe(settings.WHAT_IS_PATH)
    expect(settings.DISCORD_WIDGET_ID).toMatch(/^(\d{17,20}|)$/)
    if (settings.INTRO_VIDEO !== '') expect(parseVideoId(settings.INTRO_VIDEO)).toBeDefined()
  })

  it('says what it is, at length, with the facts of its craft', () => {
    const words = brand.settings.WHAT_IS_CONTENT.replace(/<[^>]+>/g, ' ').split(/\s+/)
    expect(words.length).toBeGreaterThan(500)
    expect(brand.settings.WHAT_IS_CONTENT).toContain('140 to 160')
    expect(brand.settings.WHAT_IS_CONTENT).toContain('20 to 35 percent')
    expect(brand.settings.WHAT_IS_CONTENT).not.toMatch(/<script|<style|\son\w+=|style=/i)
  })
})
