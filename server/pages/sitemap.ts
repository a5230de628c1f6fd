import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { PageAddressStore, PageRow } from '../catalogue/store-page-addresses.ts'
import { escapeHtml } from '../text/escape-html.ts'
import { formatIsoTime } from '../text/iso-time.ts'
import { listSitemapPaths } from './indexing.ts'

/** The maximum number of addresses in a sitemap (https://www.sitemaps.org/protocol.html). */
const MAX_SITEMAP_URLS = 50_000
/** The number of rows that are read at a time, so that other requests do not wait for a sitemap. */
const ROWS_PER_READ = 2000

const XML_START = '<?xml version="1.0" encoding="UTF-8"?>\n'
const SITEMAP_NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'

export const sitemapKinds = ['songs', 'playlists'] as const
export type SitemapKind = (typeof sitemapKinds)[number]

/** Returns the path of a sitemap: of the pages, or of the songs or playlists with the number `partNumber` (1 is the first). */
const createSitemapPath = (kind: SitemapKind | 'pages', partNumber = 1) =>
  `/sitemaps/${kind}${kind === 'pages' ? '' : `-${partNumber}`}.xml`

export async function renderSitemapIndex(siteOrigin: string, pageAddressStore: PageAddressStore): Promise<string> {
  const sitemapPaths = [createSitemapPath('pages')]
  for (const kind of sitemapKinds) {
    const parts = Math.ceil((await pageAddressStore.count(kind)) / MAX_SITEMAP_URLS)
    for (let partNumber = 1; partNumber <= parts; partNumber++) sitemapPaths.push(createSitemapPath(kind, partNumber))
  }
  const entries = sitemapPaths.map((path) => `<sitemap><loc>${escapeHtml(siteOrigin + path)}</loc></sitemap>\n`)
  return `${XML_START}<sitemapindex ${SITEMAP_NAMESPACE}>\n${entries.join('')}</sitemapindex>\n`
}

function renderUrlEntry(url: string, addedMs?: number): string {
  const lastChange = addedMs === undefined ? '' : `<lastmod>${formatIsoTime(addedMs).slice(0, 10)}</lastmod>`
  return `<url><loc>${escapeHtml(url)}</loc>${lastChange}</url>\n`
}

const URL_SET_START = `${XML_START}<urlset ${SITEMAP_NAMESPACE}>\n`
const URL_SET_END = '</urlset>\n'

/** Returns the sitemap of the pages that do not depend on a song or playlist. */
export const renderPagesSitemap = (origin: string, whatIsPath: string): string =>
  URL_SET_START + [...listSitemapPaths(), whatIsPath].map((path) => renderUrlEntry(origin + path)).join('') + URL_SET_END

const addressFunctionByKind = {
  songs: ({ id }: PageRow) => `/song?s=${id}`,
  playlists: ({ id }: PageRow) => `/playlist?p=${encodeURIComponent(id)}`,
} as const satisfies Record<SitemapKind, (row: PageRow) => string>

/** Returns a numbered sitemap as a stream; undefined if there is none with that number. */
export async function renderRowsSitemap(
  siteOrigin: string,
  pageAddressStore: PageAddressStore,
  kind: SitemapKind,
  partNumber: number,
): Promise<Readable | undefined> {
  const urlCount = await pageAddressStore.count(kind)
  const firstRow = (partNumber - 1) * MAX_SITEMAP_URLS + 1
  if (partNumber < 1 || firstRow > urlCount) return undefined
  const endRow = Math.min(urlCount + 1, firstRow + MAX_SITEMAP_URLS)
  async function* splitIntoSitemaps() {
    yield URL_SET_START
    for (let startRow = firstRow; startRow < endRow; startRow += ROWS_PER_READ) {
      const rows = await pageAddressStore.list(kind, startRow, Math.min(ROWS_PER_READ, endRow - startRow))
      yield rows.map((row) => renderUrlEntry(siteOrigin + addressFunctionByKind[kind](row), row.addedMs)).join('')
      await nextTurn()
    }
    yield URL_SET_END
  }
  return Readable.from(splitIntoSitemaps())
}
