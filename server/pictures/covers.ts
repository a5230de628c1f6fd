import sharp from 'sharp'
import type { Brand } from '../../brands/brand.ts'
import { coverDrawings } from './cover-drawings.ts'
import { renderLettering } from './lettering.ts'

/** The five colours in which a brand's covers are drawn. */
export type CoverPalette = readonly [main: string, second: string, deep: string, dark: string, light: string]

export function createCoverPalette({ tokens }: Pick<Brand, 'tokens'>): CoverPalette {
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
  let randomState = 0x811c9dc5
  for (let index = 0; index < seed.length; index++) randomState = Math.imul(randomState ^ seed.charCodeAt(index), 0x01000193)
  return () => {
    randomState = (randomState + 0x6d2b79f5) | 0
    let mixedBits = Math.imul(randomState ^ (randomState >>> 15), randomState | 1)
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
 * colours; without `designNumber`, the seed selects both. Returns an SVG document without scripts, text or external resources. Its central square can be
 * cropped.
 */
export function renderCoverSvg(
  seed: string,
  palette: CoverPalette,
  sizePx: { width: number; height: number },
  designNumber?: number,
): string {
  const nextRandom = createRandom(seed)
  const randomDesign = Math.floor(nextRandom() * DESIGN_COUNT)
  const designIndex = designNumber === undefined ? randomDesign : designNumber % DESIGN_COUNT
  const drawCover = coverDrawings[designIndex % coverDrawings.length] ?? coverDrawings[0]
  // Each cover's colour scheme is 5 places after that of the previous cover, so that all 12 schemes are used: 5 and 12 are coprime. After
  // 24 covers, the least common multiple of the numbers of drawings and schemes, combinations would repeat, so one more scheme is skipped.
  const colourScheme = COLOUR_SCHEMES[(designIndex * 5 + Math.floor(designIndex / 24)) % COLOUR_SCHEMES.length] ?? COLOUR_SCHEMES[0]
  const textureScale = TEXTURE_SCALES[Math.floor(nextRandom() * TEXTURE_SCALES.length)] ?? 1
  const [groundColour, inkColour, sparkColour] = [palette[colourScheme[0]], palette[colourScheme[1]], palette[colourScheme[2]]]
  const halfWidth = (50 * sizePx.width) / sizePx.height
  const [leftText, widthText] = [(-halfWidth).toFixed(2), (2 * halfWidth).toFixed(2)]
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${sizePx.width}" height="${sizePx.height}" viewBox="${leftText} -50 ${widthText} 100">` +
    `<rect x="${leftText}" y="-50" width="${widthText}" height="100" fill="${groundColour}"/>` +
    `<g transform="scale(${textureScale})">${drawCover?.({ halfWidth, backgroundColour: groundColour, mainColour: inkColour, accentColour: sparkColour, nextRandom }) ?? ''}</g></svg>`
  )
}

/** The palette indices of ground and letter: pairs of dark and light, which small portraits need. */
const INITIAL_LETTER_SCHEMES = [
  [3, 0],
  [3, 1],
  [3, 4],
  [0, 3],
  [1, 3],
  [4, 3],
] as const

/** Draws the portrait of someone without a picture: an initial on a ground whose colours `seed` selects. */
export function renderInitialSvg(initialLetter: string, seed: string, palette: CoverPalette, sizePx: number): string {
  const colourScheme = INITIAL_LETTER_SCHEMES[Math.floor(createRandom(seed)() * INITIAL_LETTER_SCHEMES.length)] ?? INITIAL_LETTER_SCHEMES[0]
  const initialLettering = { x: 50, y: 69, size: 52, maxWidth: 80, color: palette[colourScheme[1]], anchor: 'middle' } as const
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${sizePx}" height="${sizePx}" viewBox="0 0 100 100">` +
    `<rect width="100" height="100" fill="${palette[colourScheme[0]]}"/>${renderLettering(initialLetter, initialLettering)}</svg>`
  )
}

/** Renders an SVG cover to a bitmap of the same size. */
export function renderCover(svg: string, imageFormat: 'webp' | 'jpeg'): Promise<Buffer> {
  const picture = sharp(Buffer.from(svg))
  return (imageFormat === 'webp' ? picture.webp({ quality: 82, effort: 2 }) : picture.flatten().jpeg({ quality: 85 })).toBuffer()
}
