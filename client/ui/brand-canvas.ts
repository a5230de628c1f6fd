/** A font in the form that a canvas accepts. */
export interface CanvasFont {
  readonly family: string
  readonly weight: string
  readonly stretch: CanvasFontStretch
}

/** The keywords of `font-stretch` that a canvas accepts, with their percentages (CSS Fonts 4, section 2.4). */
const FONT_STRETCHES: readonly (readonly [percent: number, keyword: CanvasFontStretch])[] = [
  [50, 'ultra-condensed'],
  [62.5, 'extra-condensed'],
  [75, 'condensed'],
  [87.5, 'semi-condensed'],
  [100, 'normal'],
  [112.5, 'semi-expanded'],
  [125, 'expanded'],
  [150, 'extra-expanded'],
  [200, 'ultra-expanded'],
]

/** Returns the function that reads a design token of the brand, without the two hyphens of its name. */
export function readBrandTokens(): (name: string) => string {
  const tokens = getComputedStyle(document.documentElement)
  return (name) => tokens.getPropertyValue(`--${name}`).trim()
}

/**
 * Returns a font of the brand with the closest width that a canvas supports. `fontToken` is the group of the font's design tokens: `display`
 * or `mono`.
 */
export function readBrandFont(fontToken: 'display' | 'mono', fontWeight?: string): CanvasFont {
  const readToken = readBrandTokens()
  const stretchPercent = Number.parseFloat(readToken(`${fontToken}-wdth`)) || 100
  const [, stretchKeyword = 'normal'] =
    FONT_STRETCHES.toSorted(([a], [b]) => Math.abs(a - stretchPercent) - Math.abs(b - stretchPercent))[0] ?? []
  return {
    family: readToken(`font-${fontToken}`) || 'sans-serif',
    weight: fontWeight ?? (readToken(`${fontToken}-wght`) || '700'),
    stretch: stretchKeyword,
  }
}

/** Returns the font of the page's texts. */
export const readTextFont = (fontWeight: string): CanvasFont => ({
  family: getComputedStyle(document.body).fontFamily,
  weight: fontWeight,
  stretch: 'normal',
})
