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

/** Splits `text` into plain text and web links. The concatenated tokens equal `text`. */
export function splitLinks(text: string): TextToken[] {
  const tokens: TextToken[] = []
  let lastEnd = 0
  for (const match of text.matchAll(URL_PATTERN)) {
    const url = trimUrl(match[0])
    if (url.length > URL_MAX_LENGTH || !isSafeUrl(url)) continue
    if (match.index > lastEnd) tokens.push({ text: text.slice(lastEnd, match.index) })
    tokens.push({ text: url, href: url })
    lastEnd = match.index + url.length
  }
  if (lastEnd < text.length) tokens.push({ text: text.slice(lastEnd) })
  return tokens
}

/** Renders the web addresses of `text` as links, and everything else, including markup, as plain text. */
export function linkify(text: string): ReactNode[] {
  return splitLinks(text).map((token, index) =>
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
  const unmatchedCounts = new Map([...CLOSING_BRACKETS.values()].map((bracket) => [bracket, 0]))
  const count = (bracket: string, change: number) => unmatchedCounts.set(bracket, (unmatchedCounts.get(bracket) ?? 0) + change)
  for (const character of url) {
    const closingBracket = CLOSING_BRACKETS.get(character)
    if (closingBracket !== undefined) count(closingBracket, -1)
    else if (unmatchedCounts.has(character)) count(character, 1)
  }
  let end = url.length
  for (; end > 0; end--) {
    const character = url.charAt(end - 1)
    if ((unmatchedCounts.get(character) ?? 0) > 0) count(character, -1)
    else if (!TRAILING_PUNCTUATION.has(character)) break
  }
  return url.slice(0, end)
}

function isSafeUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const url = new URL(text)
  // Refuses URLs with credentials, such as `https://known.site@other.site`, because they are used for phishing.
  return (url.protocol === 'https:' || url.protocol === 'http:') && url.hostname.includes('.') && url.username === '' && url.password === ''
}
