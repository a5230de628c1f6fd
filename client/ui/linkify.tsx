import type { ReactNode } from 'react'

/*
 * A URL ends before white space, quotes, angle brackets, bars, emoji and symbols, control or direction marks (which could disguise its target), and
 * before the quotes, brackets and punctuation of other scripts, which follow it without a space. Letters of every script are part of a URL.
 */
const URL_PATTERN = new RegExp(
  [
    String.raw`https?:\/\/[^\s<>"'\x60|\p{C}`,
    String.raw`\p{Extended_Pictographic}\u{1F1E6}-\u{1F1FF}\u2190-\u21FF\u25A0-\u27BF`,
    String.raw`\xAB\xBB\u2018-\u201F\u2026\u2039\u203A\u060C\u061B\u061F\u0964\u0965`,
    String.raw`\u3001-\u3003\u3008-\u3011\u3014-\u301F\uFF01-\uFF0F\uFF1A-\uFF20\uFF3B-\uFF40\uFF5B-\uFF64]+`,
  ].join(''),
  'giu',
)
const TRAILING_PUNCTUATION = new Set('.,;:!?*_~…\'"’”»')
const CLOSING_BRACKETS = new Map([
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
])
/** A longer URL is shown as plain text. Parsing a URL may take quadratic time. */
const URL_MAX_LENGTH = 2000

export interface TextToken {
  text: string
  /** The http or https URL of a link; absent for plain text. */
  href?: string
}

/** Splits `plainText` into plain text and web links. The concatenated tokens equal `plainText`. */
export function splitLinks(plainText: string): TextToken[] {
  const textTokens: TextToken[] = []
  let lastMatchEnd = 0
  for (const urlMatch of plainText.matchAll(URL_PATTERN)) {
    const url = trimUrl(urlMatch[0])
    if (url.length > URL_MAX_LENGTH || !isSafeUrl(url)) continue
    if (urlMatch.index > lastMatchEnd) textTokens.push({ text: plainText.slice(lastMatchEnd, urlMatch.index) })
    textTokens.push({ text: url, href: url })
    lastMatchEnd = urlMatch.index + url.length
  }
  if (lastMatchEnd < plainText.length) textTokens.push({ text: plainText.slice(lastMatchEnd) })
  return textTokens
}

/** Renders the web addresses of `plainText` as links, and everything else, including markup, as plain text. */
export function linkify(plainText: string): ReactNode[] {
  return splitLinks(plainText).map((token, index) =>
    token.href === undefined ? (
      token.text
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the tokens of one text are never reordered.
      <a key={index} href={token.href} target="_blank" rel="noopener nofollow ugc">
        {token.text}
      </a>
    ),
  )
}

/** Removes trailing punctuation and unmatched closing brackets from a URL. */
function trimUrl(url: string): string {
  /** For each kind of bracket, the number of closing brackets without an opening one. */
  const unmatchedCountByBracket = new Map([...CLOSING_BRACKETS.values()].map((bracket) => [bracket, 0]))
  const changeCount = (bracket: string, change: number) =>
    unmatchedCountByBracket.set(bracket, (unmatchedCountByBracket.get(bracket) ?? 0) + change)
  for (const urlCharacter of url) {
    const closingBracket = CLOSING_BRACKETS.get(urlCharacter)
    if (closingBracket !== undefined) changeCount(closingBracket, -1)
    else if (unmatchedCountByBracket.has(urlCharacter)) changeCount(urlCharacter, 1)
  }
  let urlEnd = url.length
  for (; urlEnd > 0; urlEnd--) {
    const character = url.charAt(urlEnd - 1)
    if ((unmatchedCountByBracket.get(character) ?? 0) > 0) changeCount(character, -1)
    else if (!TRAILING_PUNCTUATION.has(character)) break
  }
  return url.slice(0, urlEnd)
}

function isSafeUrl(urlText: string): boolean {
  if (!URL.canParse(urlText)) return false
  const url = new URL(urlText)
  // Refuses URLs with credentials, such as `https://known.site@other.site`, because they are used for phishing.
  return (url.protocol === 'https:' || url.protocol === 'http:') && url.hostname.includes('.') && url.username === '' && url.password === ''
}
