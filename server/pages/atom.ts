import type { FeedItem } from '../../contract/community.ts'
import { ATOM_PATH, createNewsAnchor } from '../../contract/news.ts'
import type { Song } from '../../contract/song.ts'
import { escapeHtml } from '../text/escape-html.ts'

// biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 forbids these characters, also as references.
const FORBIDDEN_XML_CHARACTERS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

/** Escapes a text for XML 1.0, and removes characters that XML 1.0 does not allow. */
const escapeXml = (text: string) => escapeHtml(text.replace(FORBIDDEN_XML_CHARACTERS, ''))

interface AtomEntry {
  /** The IRI that identifies the entry, the same for all time. */
  id: string
  title: string
  link: string
  published: string
  updated: string
  authorName?: string
  /** The content as HTML, whose relative links are relative to the site. */
  content: string
}

interface AtomFeed {
  origin: string
  siteName: string
  title: string
  /** The path of the feed, and of the page with the same content. */
  feedPath: string
  pagePath: string
  entries: readonly AtomEntry[]
}

/** Returns an Atom feed (RFC 4287). */
function renderFeed({ origin, siteName, title, feedPath, pagePath, entries }: AtomFeed): string {
  const entryElements = entries.map((feedEntry) =>
    [
      '<entry>',
      `<id>${escapeXml(feedEntry.id)}</id>`,
      `<title>${escapeXml(feedEntry.title)}</title>`,
      ...(feedEntry.authorName === undefined ? [] : [`<author><name>${escapeXml(feedEntry.authorName)}</name></author>`]),
      `<link href="${escapeXml(feedEntry.link)}"/>`,
      `<published>${feedEntry.published}</published>`,
      `<updated>${feedEntry.updated}</updated>`,
      `<content type="html" xml:base="${escapeXml(origin)}/">${escapeXml(feedEntry.content)}</content>`,
      '</entry>',
    ].join('\n'),
  )
  const updateTimes = entries.map(({ updated }) => updated).sort()
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    `<id>${escapeXml(origin + pagePath)}</id>`,
    `<title>${escapeXml(title)}</title>`,
    `<author><name>${escapeXml(siteName)}</name></author>`,
    `<link rel="self" type="application/atom+xml" href="${escapeXml(origin + feedPath)}"/>`,
    `<link rel="alternate" type="text/html" href="${escapeXml(origin + pagePath)}"/>`,
    `<updated>${updateTimes.at(-1) ?? new Date(0).toISOString()}</updated>`,
    ...entryElements,
    '</feed>',
    '',
  ].join('\n')
}

/** Returns the news as an Atom feed. */
export function renderNewsFeed({ origin, siteName, items }: { origin: string; siteName: string; items: readonly FeedItem[] }): string {
  const feedEntries = items.map(({ id, title, content, url, date, updated = date }): AtomEntry => {
    const itemUrl = `${origin}/latest#${createNewsAnchor(id)}`
    const link = url !== '' && URL.canParse(url, origin) ? new URL(url, origin).href : itemUrl
    return { id: itemUrl, title, link, published: date, updated, content }
  })
  return renderFeed({ origin, siteName, title: siteName, feedPath: ATOM_PATH, pagePath: '/latest', entries: feedEntries })
}

/** Returns the songs of an artist or a playlist as an Atom feed. */
export function renderSongFeed({ songs, ...feed }: Omit<AtomFeed, 'entries'> & { songs: readonly Song[] }): string {
  const feedEntries = songs.map(({ youtube_id, title, author_name, date_added }): AtomEntry => {
    const urlPath = `/song?s=${youtube_id}`
    const summaryHtml = escapeHtml(`${title} by ${author_name}`)
    const entryUrl = feed.origin + urlPath
    return {
      ...{ id: entryUrl, title, link: entryUrl, published: date_added, updated: date_added, authorName: author_name },
      content: `<p><a href="${urlPath}"><img src="/img/song/${youtube_id}/320" alt=""></a></p><p>${summaryHtml}</p>`,
    }
  })
  return renderFeed({ ...feed, entries: feedEntries })
}
