import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { PageAddressStore, PageRow } from '../catalogue/store-page-addresses.ts'
import { escapeHtml } from '../text/escape-html.ts'
import { sitemapPaths } from './indexing.ts'

/** The maximum number of addresses in a sitemap (https://www.sitemaps.org/protocol.html). */
const MAX_URLS = 50_000
/** The number of rows that are read at a time, so that other requests do not wait for a sitemap. */
const ROWS_PER_READ = 2000

const XML_START = '<?xml version="1.0" encoding="UTF-8"?>\n'
const SITEMAP_NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'

export const sitemapKinds = ['songs', 'playlists'] as const
export type SitemapKind = (typeof sitemapKinds)[number]

/** Returns the path of a sitemap: of the pages, or of the songs or playlists with the number `partNumber` (1 is the first). */
const sitemapPath = (kind: SitemapKind | 'pages', partNumber = 1) => `/sitemaps/${kind}${kind === 'pages' ? '' : `-${partNumber}`}.xml`

export async function sitemapIndex(origin: string, pageAddressStore: PageAddressStore): Promise<string> {
  const paths = [sitemapPath('pages')]
  for (const kind of sitemapKinds) {
    const parts = Math.ceil((await pageAddressStore.count(kind)) / MAX_URLS)
    for (let partNumber = 1; partNumber <= parts; partNumber++) paths.push(sitemapPath(kind, partNumber))
  }
  const entries = paths.map((path) => `<sitemap><loc>${escapeHtml(origin + path)}</loc></sitemap>\n`)
  return `${XML_START}<sitemapindex ${SITEMAP_NAMESPACE}>\n${entries.join('')}</sitemapindex>\n`
}

function urlEntry(url: string, addedMs?: number): string {
  const lastChange = addedMs === undefined ? '' : `<lastmod>${new Date(addedMs).toISOString().slice(0, 10)}</lastmod>`
  return `<url><loc>${escapeHtml(url)}</loc>${lastChange}</url>\n`
}

const URL_SET_START = `${XML_START}<urlset ${SITEMAP_NAMESPACE}>\n`
const URL_SET_END = '</urlset>\n'

/** Returns the sitemap of the pages that do not depend on a song or playlist. */
export const pagesSitemap = (origin: string, whatIsPath: string): string =>
  URL_SET_START + [...sitemapPaths(), whatIsPath].map((path) => urlEntry(origin + path)).join('') + URL_SET_END

const addressOf = {
  songs: ({ id }: PageRow) => `/song?s=${id}`,
  playlists: ({ id }: PageRow) => `/playlist?p=${encodeURIComponent(id)}`,
} as const satisfies Record<SitemapKind, (row: PageRow) => string>

/** Returns a numbered sitemap as a stream; undefined if there is none with that number. */
export async function rowsSitemap(
  origin: string,
  pageAddressStore: PageAddressStore,
  kind: SitemapKind,
  partNumber: number,
): Promise<Readable | undefined> {
  const urlCount = await pageAddressStore.count(kind)
  const firstRow = (partNumber - 1) * MAX_URLS + 1
  if (partNumber < 1 || firstRow > urlCount) return undefined
  const end = Math.min(urlCount + 1, firstRow + MAX_URLS)
  async function* chunks() {
    yield URL_SET_START
    for (let start = firstRow; start < end; start += ROWS_PER_READ) {
      const rows = await pageAddressStore.list(kind, start, Math.min(ROWS_PER_READ, end - start))
      yield rows.map((row) => urlEntry(origin + addressOf[kind](row), row.addedMs)).join('')
      await nextTurn()
    }
    yield URL_SET_END
  }
  return Readable.from(chunks())
}
