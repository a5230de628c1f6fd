import sharp from 'sharp'
import type { Brand } from '../../brands/brand.ts'
import { drawings } from './cover-drawings.ts'

/** A brand's five art colours: main, second, deep, dark, light. */
export type ArtPalette = readonly [main: string, second: string, deep: string, dark: string, light: string]

export function artPalette({ tokens }: Pick<Brand, 'tokens'>): ArtPalette {
  return [tokens['art-1'], tokens['art-2'], tokens['art-3'], tokens['art-4'], tokens['art-5']]
}

/** Ground, ink and spark: places in the palette that hold up against each other. */
const SCHEMES = [
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

/** Numbers from 0 up to 1 that depend on `seed` alone: FNV-1a over its characters, stirred by mulberry32. */
function sequence(seed: string): () => number {
  let state = 0x811c9dc5
  for (let index = 0; index < seed.length; index++) state = Math.imul(state ^ seed.charCodeAt(index), 0x01000193)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000
  }
}

/**
 * A cover drawn from `seed`: the same seed gives the same drawing in every palette and size. A whole SVG document
 * without script, text or anything to load; its middle square stands on its own.
 */
export function coverSvg(seed: string, palette: ArtPalette, size: { width: number; height: number }): string {
  const next = sequence(seed)
  const scheme = SCHEMES[Math.floor(next() * SCHEMES.length)] ?? SCHEMES[0]
  const drawing = drawings[Math.floor(next() * drawings.length)] ?? drawings[0]
  const [ground, ink, spark] = [palette[scheme[0]], palette[scheme[1]], palette[scheme[2]]]
  const halfWidth = (50 * size.width) / size.height
  const [left, span] = [(-halfWidth).toFixed(2), (2 * halfWidth).toFixed(2)]
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}" viewBox="${left} -50 ${span} 100">` +
    `<rect x="${left}" y="-50" width="${span}" height="100" fill="${ground}"/>` +
    `${drawing?.({ halfWidth, ground, ink, spark, next }) ?? ''}</svg>`
  )
}

/** `svg` as a picture of its own size. */
export function coverPixels(svg: string, format: 'webp' | 'jpeg'): Promise<Buffer> {
  const picture = sharp(Buffer.from(svg))
  return (format === 'webp' ? picture.webp({ quality: 82, effort: 2 }) : picture.flatten().jpeg({ quality: 85 })).toBuffer()
}
