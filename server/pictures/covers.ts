import sharp from 'sharp'
import type { Brand } from '../../brands/brand.ts'
import { coverDrawings } from './cover-drawings.ts'
import { letteringSvg } from './lettering.ts'

/** The five colours in which a brand's covers are drawn. */
export type CoverPalette = readonly [main: string, second: string, deep: string, dark: string, light: string]

export function coverPalette({ tokens }: Pick<Brand, 'tokens'>): CoverPalette {
  return [tokens['art-1'], tokens['art-2'], tokens['art-3'], tokens['art-4'], tokens['art-5']]
}

/** The palette indices of background, main and accent colour: combinations with enough contrast. */
const COLOUR_SCHEMES = [
  [3, 0, 1],
  [3, 1, 0],
  [3, 4, 0],
  [3, 2, 0],
  [2, 4, 0],
  [2, 0, 4],
  [2, 3, 1],
  [0, 3, 2],
  [0, 4, 2],
  [1, 3, 2],
  [4, 3, 0],
  [4, 2, 0],
] as const

/** Returns a pseudo-random number generator in [0, 1) for a seed: FNV-1a hash of its characters, then mulberry32. */
function createRandom(seed: string): () => number {
  let state = 0x811c9dc5
  for (let index = 0; index < seed.length; index++) state = Math.imul(state ^ seed.charCodeAt(index), 0x01000193)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixedBits = Math.imul(state ^ (state >>> 15), state | 1)
    mixedBits ^= mixedBits + Math.imul(mixedBits ^ (mixedBits >>> 7), mixedBits | 61)
    return ((mixedBits ^ (mixedBits >>> 14)) >>> 0) / 0x1_0000_0000
  }
}

/** The scales in which a drawing can be drawn, which make covers with the same drawing look different. */
const TEXTURE_SCALES = [1, 1.3, 1.8] as const

/** The number of combinations of a drawing and a colour scheme. */
const DESIGN_COUNT = coverDrawings.length * COLOUR_SCHEMES.length

/**
 * Draws a cover: the same seed and number result in the same shapes in every palette and size. Covers with successive numbers differ in drawing and
 * colours; without `number`, the seed selects both. Returns an SVG document without scripts, text or external resources. Its central square can be
 * cropped.
 */
export function coverSvg(seed: string, palette: CoverPalette, size: { width: number; height: number }, number?: number): string {
  const nextRandom = createRandom(seed)
  const randomDesign = Math.floor(nextRandom() * DESIGN_COUNT)
  const design = number === undefined ? randomDesign : number % DESIGN_COUNT
  const drawing = coverDrawings[design % coverDrawings.length] ?? coverDrawings[0]
  // Each cover's colour scheme is 5 places after that of the previous cover, so that all 12 schemes are used: 5 and 12 are coprime. After
  // 24 covers, the least common multiple of the numbers of drawings and schemes, combinations would repeat, so one more scheme is skipped.
  const scheme = COLOUR_SCHEMES[(design * 5 + Math.floor(design / 24)) % COLOUR_SCHEMES.length] ?? COLOUR_SCHEMES[0]
  const scale = TEXTURE_SCALES[Math.floor(nextRandom() * TEXTURE_SCALES.length)] ?? 1
  const [groundColour, inkColour, sparkColour] = [palette[scheme[0]], palette[scheme[1]], palette[scheme[2]]]
  const halfWidth = (50 * size.width) / size.height
  const [leftText, widthText] = [(-halfWidth).toFixed(2), (2 * halfWidth).toFixed(2)]
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}" viewBox="${leftText} -50 ${widthText} 100">` +
    `<rect x="${leftText}" y="-50" width="${widthText}" height="100" fill="${groundColour}"/>` +
    `<g transform="scale(${scale})">${drawing?.({ halfWidth, backgroundColour: groundColour, mainColour: inkColour, accentColour: sparkColour, nextRandom }) ?? ''}</g></svg>`
  )
}

/** The palette indices of ground and letter: pairs of dark and light, which small portraits need. */
const INITIAL_SCHEMES = [
  [3, 0],
  [3, 1],
  [3, 4],
  [0, 3],
  [1, 3],
  [4, 3],
] as const

/** Draws the portrait of someone without a picture: an initial on a ground whose colours `seed` selects. */
export function initialSvg(letter: string, seed: string, palette: CoverPalette, size: number): string {
  const scheme = INITIAL_SCHEMES[Math.floor(createRandom(seed)() * INITIAL_SCHEMES.length)] ?? INITIAL_SCHEMES[0]
  const lettering = { x: 50, y: 69, size: 52, maxWidth: 80, color: palette[scheme[1]], anchor: 'middle' } as const
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 100 100">` +
    `<rect width="100" height="100" fill="${palette[scheme[0]]}"/>${letteringSvg(letter, lettering)}</svg>`
  )
}

/** Renders an SVG cover to a bitmap of the same size. */
export function renderCover(svg: string, format: 'webp' | 'jpeg'): Promise<Buffer> {
  const picture = sharp(Buffer.from(svg))
  return (format === 'webp' ? picture.webp({ quality: 82, effort: 2 }) : picture.flatten().jpeg({ quality: 85 })).toBuffer()
}
