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

/** Drawings of the app's shortcuts, on 24 x 24 with a stroke. */
const shortcutDrawings = {
  random: 'M3 7h4c5 0 5 10 10 10h4M3 17h4c2 0 3-1 4-3M13 10c1-2 2-3 4-3h4M18 4l3 3-3 3M18 14l3 3-3 3',
  favorites: 'M12 20S4 15 4 9a4.2 4.2 0 0 1 8-2 4.2 4.2 0 0 1 8 2c0 6-8 11-8 11z',
  radio: 'M4 9h16v11H4zM7 9l9-5M15.500 12.500a2 2 0 1 1 0 4 2 2 0 0 1 0-4zM7 13h4M7 16h4',
  maker: 'M4 7h9M17 7h3M4 17h3M11 17h9M15 4.500v5M9 14.500v5',
} as const
export type ShortcutName = keyof typeof shortcutDrawings
export const shortcutNames = Object.keys(shortcutDrawings) as ShortcutName[]

/** A shortcut's icon as a PNG of `size` x `size` pixels, in the brand's colours. */
export function shortcutPng({ tokens }: Pick<Brand, 'tokens'>, name: ShortcutName, size: number): Promise<Buffer> {
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="96" height="96" viewBox="0 0 96 96"><rect width="96" height="96" rx="22" fill="${tokens['surface-2']}"/>` +
    `<path transform="translate(24 24) scale(2)" fill="none" stroke="${tokens.accent}" stroke-width="1.800" stroke-linecap="round" stroke-linejoin="round" d="${shortcutDrawings[name]}"/></svg>`
  return sharp(Buffer.from(svg)).resize(size, size).png({ compressionLevel: 9 }).toBuffer()
}

/** The brand's icon as a PNG of `size` x `size` pixels. */
export function iconPng(brand: MarkedBrand, size: number, shape: IconShape = {}): Promise<Buffer> {
  return sharp(Buffer.from(iconSvg(brand, shape)))
    .resize(size, size)
    .png({ compressionLevel: 9 })
    .toBuffer()
}
