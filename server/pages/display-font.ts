import type { Brand } from '../../brands/brand.ts'

/** Matches the rules of the display font's Latin part; captures its URL and the range of its width in percent. */
const LATIN_FACE = /@font-face\{font-family:Anybody;src:url\(([^)]+)\)[^}]*font-stretch:(\d+)% (\d+)%[^}]*unicode-range:U\+20-/g

/** Returns the URL of the display font's Latin part in the width of `brand`, from a built style sheet. */
export function displayFontUrl(css: string, brand: Brand): string | undefined {
  const width = Number.parseFloat(brand.tokens['display-wdth'])
  for (const [, url, min, max] of css.matchAll(LATIN_FACE)) if (Number(min) <= width && width <= Number(max)) return url
  return undefined
}
