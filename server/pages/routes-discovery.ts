import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { foldText } from '../../contract/fold-text.ts'
import { ARTIST_ATOM_PATH, ATOM_PATH, createArtistAtomPath, createPlaylistAtomPath, PLAYLIST_ATOM_PATH } from '../../contract/news.ts'
import { formatPageTitle, formatSearchHeading } from '../../contract/page-titles.ts'
import { findNetwork } from '../http/client-id.ts'
import type { HostSite } from '../http/hosts.ts'
import { type CachedResponse, compressInBackground, createCachedResponse, type ReadCache } from '../http/read-cache.ts'
import { sendCachedResponse } from '../http/send.ts'
import type { SiteSettings } from '../site/settings.ts'
import type { Storage } from '../storage/open.ts'
import { renderNewsFeed, renderSongFeed } from './atom.ts'
import { createDocumentLoader } from './document-loader.ts'
import type { PageGate } from './page-gate.ts'
import { isPlaylistId, isSearchText } from './resolve-page.ts'
import { renderPagesSitemap, renderRowsSitemap, renderSitemapIndex, sitemapKinds } from './sitemap.ts'

/** The number of news items or songs in a feed. */
const MAX_ATOM_ITEMS = 50
const XML_TYPE = 'application/xml; charset=utf-8'
const CACHE_CONTROL = 'public, max-age=3600'
const FEED_HEADERS = { 'content-type': 'application/atom+xml; charset=utf-8', 'cache-control': 'no-cache' }

const renderRobotsTxt = ({ hostClass, mainUrl }: HostSite): string =>
  [
    'User-agent: *',
    'Disallow: /api/',
    'Disallow: /account',
    'Disallow: /go/',
    'Allow: /',
    ...(hostClass === 'main' ? ['', `Sitemap: ${mainUrl}/sitemap.xml`] : []),
    '',
  ].join('\n')

interface DiscoveryDeps {
  storage: Storage
  site: SiteSettings
}

interface FeedDeps extends DiscoveryDeps {
  cache: ReadCache
  pageGate: PageGate<CachedResponse>
  nowMs: () => number
}

/** Registers the routes for search engines: `robots.txt`, and the sitemaps of main hosts. */
export function registerDiscoveryRoutes(app: FastifyInstance, { storage, site }: DiscoveryDeps): void {
  const prepareXmlReply = (reply: FastifyReply) => reply.type(XML_TYPE).header('cache-control', CACHE_CONTROL)

  app.get('/robots.txt', (request, reply) =>
    reply.type('text/plain; charset=utf-8').header('cache-control', CACHE_CONTROL).send(renderRobotsTxt(request.site)),
  )
  app.get('/sitemap.xml', async ({ site: host }, reply) => {
    if (host.hostClass !== 'main') return reply.callNotFound()
    return prepareXmlReply(reply).send(await renderSitemapIndex(host.mainUrl, storage.addresses))
  })
  app.get('/sitemaps/pages.xml', async ({ site: host }, reply) => {
    if (host.hostClass !== 'main') return reply.callNotFound()
    return prepareXmlReply(reply).send(renderPagesSitemap(host.mainUrl, (await site.settingsOf(host.brand)).WHAT_IS_PATH))
  })
  for (const sitemapKind of sitemapKinds) {
    app.get<{ Params: { part: string } }>(`/sitemaps/${sitemapKind}-:part(^[1-9]\\d{0,4}).xml`, async ({ site: host, params }, reply) => {
      const sitemap =
        host.hostClass === 'main' ? await renderRowsSitemap(host.mainUrl, storage.addresses, sitemapKind, Number(params.part)) : undefined
      return sitemap === undefined ? reply.callNotFound() : prepareXmlReply(reply).send(sitemap)
    })
  }
}

/** Registers the Atom feeds of main hosts: the news, and the new songs of each artist and each playlist. */
export function registerFeedRoutes(app: FastifyInstance, { storage, site, cache, pageGate, nowMs }: FeedDeps): void {
  const createNewestOptions = () => ({ limit: MAX_ATOM_ITEMS, untilMs: nowMs() })
  const documentLoader = createDocumentLoader({ cache, readRevision: () => storage.revision(), gate: pageGate })

  /**
   * Sends the feed with the canonical address `feedPath`. It is created in its turn, once for all requests, whatever else their queries contain.
   *
   * @param renderXml returns `undefined` if the feed no longer exists, because an import removed its playlist meanwhile
   */
  async function sendFeed(
    request: FastifyRequest,
    reply: FastifyReply,
    feedPath: string,
    renderXml: () => Promise<string | undefined>,
  ): Promise<FastifyReply> {
    const requester = { client: findNetwork(request.ip), response: reply.raw }
    const feed = await documentLoader.load(request.site, feedPath, requester, async () => {
      const feedXml = await renderXml()
      const isCacheable = feedXml !== undefined
      const response = createCachedResponse(isCacheable ? 200 : 404, feedXml ?? '', FEED_HEADERS)
      if (isCacheable) compressInBackground(response)
      return { response, isCacheable }
    })
    return sendCachedResponse(request, reply, feed)
  }

  app.get(ATOM_PATH, async (request, reply) => {
    const { brand, hostClass, mainUrl } = request.site
    if (hostClass !== 'main') return reply.callNotFound()
    return sendFeed(request, reply, ATOM_PATH, async () => {
      const [items, { NAME }] = await Promise.all([
        storage.feed.list({ limit: MAX_ATOM_ITEMS, offset: 0 }, nowMs()),
        site.settingsOf(brand),
      ])
      return renderNewsFeed({ origin: mainUrl, siteName: NAME, items })
    })
  })

  app.get<{ Querystring: { a?: unknown } }>(ARTIST_ATOM_PATH, async (request, reply) => {
    const { brand, hostClass, mainUrl } = request.site
    const { a: artistText } = request.query
    if (hostClass !== 'main' || typeof artistText !== 'string' || !isSearchText(artistText)) return reply.callNotFound()
    const foldedText = foldText(artistText)
    const artistName = await storage.newestSongs.findArtistName(foldedText)
    if (artistName === undefined) return reply.callNotFound()
    const feedPath = createArtistAtomPath(artistName)
    return sendFeed(request, reply, feedPath, async () => {
      const songs = await storage.newestSongs.listOfArtists([foldedText], createNewestOptions(), await site.viewOf(brand))
      const { NAME } = await site.settingsOf(brand)
      return renderSongFeed({
        origin: mainUrl,
        siteName: NAME,
        title: formatPageTitle(formatSearchHeading(artistName, true), { NAME }),
        feedPath,
        pagePath: `/search?${new URLSearchParams({ q: artistName, type: 'artist' })}`,
        songs,
      })
    })
  })

  app.get<{ Querystring: { p?: unknown } }>(PLAYLIST_ATOM_PATH, async (request, reply) => {
    const { brand, hostClass, mainUrl } = request.site
    const { p: playlistId } = request.query
    if (hostClass !== 'main' || typeof playlistId !== 'string' || !isPlaylistId(playlistId)) return reply.callNotFound()
    if ((await storage.playlists.find(playlistId)) === undefined) return reply.callNotFound()
    const feedPath = createPlaylistAtomPath(playlistId)
    return sendFeed(request, reply, feedPath, async () => {
      const [playlist, songs] = await Promise.all([
        storage.playlists.find(playlistId),
        storage.newestSongs.listOfPlaylist(playlistId, createNewestOptions(), await site.viewOf(brand)),
      ])
      if (playlist === undefined || songs === undefined) return undefined
      const { NAME } = await site.settingsOf(brand)
      return renderSongFeed({
        origin: mainUrl,
        siteName: NAME,
        title: formatPageTitle(playlist.title, { NAME }),
        feedPath,
        pagePath: playlist.url,
        songs,
      })
    })
  })
}
