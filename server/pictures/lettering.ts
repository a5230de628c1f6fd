import { escapeHtml } from '../text/escape-html.ts'
import outlines from './letters.json' with { type: 'json' }

const { upem, letters } = outlines
const isKnownCharacter = (character: string): character is keyof typeof letters => Object.hasOwn(letters, character)

interface Lettering {
  /** The horizontal position of the start of the baseline, or of its middle if that is the `anchor`. */
  x: number
  y: number
  /** The height of the letters' em square. A text that is wider than `maxWidth` is drawn smaller. */
  size: number
  maxWidth: number
  color: string
  anchor?: 'start' | 'middle'
}

/**
 * Returns the SVG elements of a line of text. Latin letters are drawn as outlines, so that they look the same without fonts; a text with other
 * characters is set in a font of the system.
 */
export function renderLettering(letteringText: string, { x, y, size, maxWidth, color, anchor = 'start' }: Lettering): string {
  const textCharacters = [...letteringText.normalize('NFC')]
  const knownCharacters = textCharacters.filter(isKnownCharacter)
  if (knownCharacters.length < textCharacters.length) {
    // A character takes at most the width of its em square.
    const fontSize = Math.min(size, maxWidth / textCharacters.length)
    const style = `font-family="system-ui, 'Noto Sans', 'Noto Sans CJK JP', sans-serif" font-weight="700" font-size="${fontSize.toFixed(1)}"`
    return `<text x="${x}" y="${y}" text-anchor="${anchor}" fill="${color}" ${style}>${escapeHtml(textCharacters.join(''))}</text>`
  }
  let advanceWidth = 0
  const glyphPaths = knownCharacters.map((character) => {
    const [glyphWidth, outlineText] = letters[character] as [number, string]
    const element = outlineText === '' ? '' : `<path transform="translate(${advanceWidth} 0)" d="${outlineText}"/>`
    advanceWidth += glyphWidth
    return element
  })
  const scale = Math.min(size / upem, maxWidth / Math.max(1, advanceWidth))
  const left = anchor === 'middle' ? x - (advanceWidth * scale) / 2 : x
  return `<g fill="${color}" transform="translate(${left.toFixed(1)} ${y}) scale(${scale.toFixed(5)} ${(-scale).toFixed(5)})">${glyphPaths.join('')}</g>`
}

const NAME_MAX_LENGTH = 40

/** Returns a name that fits a line: shortened at its end, without invisible characters. */
export function fitNameToLine(fullName: string): string {
  const nameCharacters = [...fullName.replace(/[\p{C}\s]+/gu, ' ').trim()]
  return nameCharacters.length > NAME_MAX_LENGTH
    ? `${nameCharacters
        .slice(0, NAME_MAX_LENGTH - 1)
        .join('')
        .trimEnd()}…`
    : nameCharacters.join('')
}

/** Returns the first letter or digit of a name in upper case, with three accents at most; `undefined` if the name has none. */
export const findInitial = (name: string): string | undefined => /[\p{L}\p{N}]\p{M}{0,3}/u.exec(name.normalize('NFC'))?.[0].toUpperCase()
