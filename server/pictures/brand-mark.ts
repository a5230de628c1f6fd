import sharp from 'sharp'
import type { Brand } from '../../brands/brand.ts'
import { BRAND_MARK_VIEW_BOX_SIZE, drawBrandMarkPath } from '../../contract/mark.ts'

export interface IconShape {
  /** Whether the icon fills the square, with the mark inside the maskable safe zone (the central 80 percent): for Android and Apple touch icons. */
  isMaskable?: boolean
  /** Whether the icon is the radio's, which shows the mark between the waves of a transmitter and swaps the two colours of the main icon. */
  isRadio?: boolean
}

type MarkedBrand = Pick<Brand, 'tokens' | 'hero'>

/** Returns the SVG elements of the mark in the brand's gradient: a square of `size` at (`x`, `y`). */
export function renderMarkSvg({ tokens, hero }: MarkedBrand, { x, y, size }: { x: number; y: number; size: number }): string {
  return (
    `<linearGradient id="mark" x1="0" y1="0" x2="1" y2="1"><stop stop-color="${tokens.accent}"/><stop offset="1" stop-color="${tokens['accent-2']}"/></linearGradient>` +
    `<path fill="url(#mark)" transform="translate(${x} ${y}) scale(${size / BRAND_MARK_VIEW_BOX_SIZE})" d="${drawBrandMarkPath(hero.rate)}"/>`
  )
}

/** Returns the brand's icon as an SVG document of 512 x 512. */
export function renderIconSvg(brand: MarkedBrand, { isMaskable: maskable = false, isRadio = false }: IconShape = {}): string {
  const corners = maskable ? '' : ' rx="112"'
  const drawing = isRadio ? renderRadioDrawing(brand, maskable, corners) : renderMainDrawing(brand, maskable, corners)
  return `<svg xmlns="http://www.w3.org/2000/svg" width="512" height="512" viewBox="0 0 512 512">${drawing}</svg>`
}

function renderMainDrawing(brand: MarkedBrand, isMaskable: boolean, cornersSvg: string): string {
  const size = isMaskable ? 340 : 432
  const mark = renderMarkSvg(brand, { x: 256 - size / 2, y: 256 - size / 2, size })
  return `<rect width="512" height="512"${cornersSvg} fill="${brand.tokens['surface-0']}"/>${mark}`
}

/** Two arcs of 90 degrees on each side of the center, in a view box of 512 x 512. */
const RADIO_WAVES_PATH = [148, 204]
  .flatMap((ringRadius) => {
    const ringOffset = ringRadius * Math.SQRT1_2
    const drawArcPath = (side: 1 | -1) =>
      `M${(256 + side * ringOffset).toFixed(1)} ${(256 - ringOffset).toFixed(1)}a${ringRadius} ${ringRadius} 0 0 ${side > 0 ? 1 : 0} 0 ${(2 * ringOffset).toFixed(1)}`
    return [drawArcPath(1), drawArcPath(-1)]
  })
  .join('')

function renderRadioDrawing({ tokens, hero }: MarkedBrand, isMaskable: boolean, cornersSvg: string): string {
  const markScale = isMaskable ? 0.82 : 1
  const markSize = 212
  return (
    `<linearGradient id="ground" x1="0" y1="0" x2="1" y2="1"><stop stop-color="${tokens.accent}"/><stop offset="1" stop-color="${tokens['accent-2']}"/></linearGradient>` +
    `<rect width="512" height="512"${cornersSvg} fill="url(#ground)"/>` +
    `<g transform="translate(256 256) scale(${markScale}) translate(-256 -256)">` +
    `<path fill="none" stroke="${tokens['accent-ink']}" stroke-width="26" stroke-linecap="round" d="${RADIO_WAVES_PATH}"/>` +
    `<path fill="${tokens['accent-ink']}" transform="translate(${256 - markSize / 2} ${256 - markSize / 2}) scale(${markSize / BRAND_MARK_VIEW_BOX_SIZE})" d="${drawBrandMarkPath(hero.rate)}"/></g>`
  )
}

/** The SVG paths of the app shortcuts' icons, stroked in a view box of 24 x 24. */
const shortcutDrawings = {
  random: 'M3 7h4c5 0 5 10 10 10h4M3 17h4c2 0 3-1 4-3M13 10c1-2 2-3 4-3h4M18 4l3 3-3 3M18 14l3 3-3 3',
  favorites: 'M12 20S4 15 4 9a4.2 4.2 0 0 1 8-2 4.2 4.2 0 0 1 8 2c0 6-8 11-8 11z',
  radio: 'M4 9h16v11H4zM7 9l9-5M15.500 12.500a2 2 0 1 1 0 4 2 2 0 0 1 0-4zM7 13h4M7 16h4',
  maker: 'M4 7h9M17 7h3M4 17h3M11 17h9M15 4.500v5M9 14.500v5',
  play: 'M7 4v16l13-8z',
  newcomers: 'M12 3v5M12 16v5M3 12h5M16 12h5M6 6l3 3M15 15l3 3M6 18l3-3M15 9l3-3',
} as const
export type ShortcutName = keyof typeof shortcutDrawings
export const shortcutNames = Object.keys(shortcutDrawings) as ShortcutName[]

/** Returns a shortcut's icon as a PNG of `sizePx` x `sizePx` pixels, in the brand's colours. */
export function renderShortcutPng({ tokens }: Pick<Brand, 'tokens'>, name: ShortcutName, sizePx: number): Promise<Buffer> {
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="96" height="96" viewBox="0 0 96 96"><rect width="96" height="96" rx="22" fill="${tokens['surface-2']}"/>` +
    `<path transform="translate(24 24) scale(2)" fill="none" stroke="${tokens.accent}" stroke-width="1.800" stroke-linecap="round" stroke-linejoin="round" d="${shortcutDrawings[name]}"/></svg>`
  return sharp(Buffer.from(svg)).resize(sizePx, sizePx).png({ compressionLevel: 9 }).toBuffer()
}

/** Returns the brand's icon as a PNG of `sizePx` x `sizePx` pixels. */
export function renderIconPng(brand: MarkedBrand, sizePx: number, shape: IconShape = {}): Promise<Buffer> {
  return sharp(Buffer.from(renderIconSvg(brand, shape)))
    .resize(sizePx, sizePx)
    .png({ compressionLevel: 9 })
    .toBuffer()
}
