import type { FeedItem } from '../../contract/community.ts'
import { ATOM_PATH, newsAnchor } from '../../contract/news.ts'
import { escapeHtml } from '../text/escape-html.ts'

// biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 forbids these characters, also as references.
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

/** Escapes a text for XML 1.0, and removes characters that XML 1.0 does not allow. */
const escapeXml = (text: string) => escapeHtml(text.replace(FORBIDDEN, ''))

/** Returns the news as an Atom feed (RFC 4287). Relative links in the content are relative to the site. */
export function atomFeed({ origin, siteName, items }: { origin: string; siteName: string; items: readonly FeedItem[] }): string {
  const entries = items.map(({ id, title, content, url, date, updated = date }) => {
    const itemUrl = `${origin}/latest#${newsAnchor(id)}`
    const link = url !== '' && URL.canParse(url, origin) ? new URL(url, origin).href : itemUrl
    return [
      '<entry>',
      `<id>${escapeXml(itemUrl)}</id>`,
      `<title>${escapeXml(title)}</title>`,
      `<link href="${escapeXml(link)}"/>`,
      `<published>${date}</published>`,
      `<updated>${updated}</updated>`,
      `<content type="html" xml:base="${escapeXml(origin)}/">${escapeXml(content)}</content>`,
      '</entry>',
    ].join('\n')
  })
  const changes = items.map(({ date, updated = date }) => updated).sort()
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    `<id>${escapeXml(origin)}/latest</id>`,
    `<title>${escapeXml(siteName)}</title>`,
    `<author><name>${escapeXml(siteName)}</name></author>`,
    `<link rel="self" type="application/atom+xml" href="${escapeXml(origin + ATOM_PATH)}"/>`,
    `<link rel="alternate" type="text/html" href="${escapeXml(origin)}/latest"/>`,
    `<updated>${changes.at(-1) ?? new Date(0).toISOString()}</updated>`,
    ...entries,
    '</feed>',
    '',
  ].join('\n')
}
