import type { ReactNode } from 'react'

// Ends before white space, quotes, angle brackets, and control or direction marks, which could hide where a link leads.
const ADDRESS = /https?:\/\/[^\s<>"'`\p{C}]+/giu
const TRAILING = /[.,;:!?*_~…'"’”»]+$/u
const BRACKETS = [
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
] as const

export interface TextPart {
  text: string
  /** An http or https address; absent for plain text. */
  href?: string
}

/** `text` in parts, of which those that are web addresses have an `href`. Joined, the parts are `text` again. */
export function splitLinks(text: string): TextPart[] {
  const parts: TextPart[] = []
  let end = 0
  for (const match of text.matchAll(ADDRESS)) {
    const address = trimAddress(match[0])
    if (!isSafe(address)) continue
    if (match.index > end) parts.push({ text: text.slice(end, match.index) })
    parts.push({ text: address, href: address })
    end = match.index + address.length
  }
  if (end < text.length) parts.push({ text: text.slice(end) })
  return parts
}

/** A description with its web addresses as links; everything else, markup included, stays text. */
export function linkify(text: string): ReactNode[] {
  return splitLinks(text).map((part, index) =>
    part.href === undefined ? (
      part.text
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never change places.
      <a key={index} href={part.href} target="_blank" rel="noopener nofollow ugc">
        {part.text}
      </a>
    ),
  )
}

/** Leaves the sentence's punctuation and unmatched closing brackets to the text. */
function trimAddress(address: string): string {
  let trimmed = address
  for (;;) {
    let next = trimmed.replace(TRAILING, '')
    for (const [open, close] of BRACKETS) {
      if (next.endsWith(close) && next.split(close).length > next.split(open).length) next = next.slice(0, -1)
    }
    if (next === trimmed) return trimmed
    trimmed = next
  }
}

function isSafe(address: string): boolean {
  if (!URL.canParse(address)) return false
  const url = new URL(address)
  // `https://known.site@other.site` is made to be misread.
  return (url.protocol === 'https:' || url.protocol === 'http:') && url.hostname.includes('.') && url.username === '' && url.password === ''
}
