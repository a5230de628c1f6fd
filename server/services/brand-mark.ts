import sharp from 'sharp'
import type { Brand } from '../../brands/brand.ts'
import { MARK_SIZE, markPath } from '../../contract/mark.ts'

export interface IconShape {
  /** Filled to its edges, with the mark in the middle 80 percent that every mask leaves: for Android and for Apple's touch icon. */
  maskable?: boolean
}

type MarkedBrand = Pick<Brand, 'tokens' | 'hero'>

/** The mark with the brand's light on it, as SVG elements: a square of `size` from (`x`, `y`). */
export function markSvg({ tokens, hero }: MarkedBrand, { x, y, size }: { x: number; y: number; size: number }): string {
  return (
    `<linearGradient id="mark" x1="0" y1="0" x2="1" y2="1"><stop stop-color="${tokens.accent}"/><stop offset="1" stop-color="${tokens['accent-2']}"/></linearGradient>` +
    `<path fill="url(#mark)" transform="translate(${x} ${y}) scale(${size / MARK_SIZE})" d="${markPath(hero.rate)}"/>`
  )
}

/** The brand's icon as an SVG document of 512 x 512: its mark on its own ground. */
export function iconSvg(brand: MarkedBrand, { maskable = false }: IconShape = {}): string {
  const size = maskable ? 340 : 432
  const ground = maskable ? '' : ' rx="112"'
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="512" height="512" viewBox="0 0 512 512">` +
    `<rect width="512" height="512"${ground} fill="${brand.tokens['surface-0']}"/>${markSvg(brand, { x: 256 - size / 2, y: 256 - size / 2, size })}</svg>`
  )
}

/** The brand's icon as a PNG of `size` x `size` pixels. */
export function iconPng(brand: MarkedBrand, size: number, shape: IconShape = {}): Promise<Buffer> {
  return sharp(Buffer.from(iconSvg(brand, shape)))
    .resize(size, size)
    .png({ compressionLevel: 9 })
    .toBuffer()
}
