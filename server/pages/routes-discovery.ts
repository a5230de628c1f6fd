import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { foldText } from '../../contract/fold-text.ts'
import { ARTIST_ATOM_PATH, ATOM_PATH, createArtistAtomPath, createPlaylistAtomPath, PLAYLIST_ATOM_PATH } from '../../contract/news.ts'
import { formatPageTitle, formatSearchHeading } from '../../contract/page-titles.ts'
import type { HostSite } from '../http/hosts.ts'
import { compressInBackground, createCachedResponse, type ReadCache } from '../http/read-cache.ts'
import { createCacheKey } from '../http/request.ts'
import { sendCachedResponse } from '../http/send.ts'
import type { SiteSettings } from '../site/settings.ts'
import type { Storage } from '../storage/open.ts'
import { renderNewsFeed, renderSongFeed } from './atom.ts'
import { isPlaylistId, isSearchText } from './resolve-page.ts'
import { renderPagesSitemap, renderRowsSitemap, renderSitemapIndex, sitemapKinds } from './sitemap.ts'

/** The number of news items or songs in a feed. */
const MAX_ATOM_ITEMS = 50
const XML_TYPE = 'application/xml; charset=utf-8'
const CACHE_CONTROL = 'public, max-age=3600'

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
export function registerFeedRoutes(app: FastifyInstance, { storage, site, cache, nowMs }: FeedDeps): void {
  const createNewestOptions = () => ({ limit: MAX_ATOM_ITEMS, untilMs: nowMs() })

  /** Sends a feed. It is cached only under its canonical address, so that other queries do not displace other responses. */
  function sendFeed(request: FastifyRequest, reply: FastifyReply, urlPath: string, feedXml: string, feedRevision: number): FastifyReply {
    const feedHeaders = { 'content-type': 'application/atom+xml; charset=utf-8', 'cache-control': 'no-cache' }
    const response = createCachedResponse(200, feedXml, feedHeaders)
    if (request.raw.url === urlPath) {
      compressInBackground(response)
      cache.set(createCacheKey(request), feedRevision, response)
    }
    return sendCachedResponse(request, reply, response)
  }

  app.get(ATOM_PATH, async (request, reply) => {
    const { brand, hostClass, mainUrl } = request.site
    if (hostClass !== 'main') return reply.callNotFound()
    const revision = storage.revision()
    const [items, { NAME }] = await Promise.all([storage.feed.list({ limit: MAX_ATOM_ITEMS, offset: 0 }, nowMs()), site.settingsOf(brand)])
    return sendFeed(request, reply, ATOM_PATH, renderNewsFeed({ origin: mainUrl, siteName: NAME, items }), revision)
  })

  app.get<{ Querystring: { a?: unknown } }>(ARTIST_ATOM_PATH, async (request, reply) => {
    const { brand, hostClass, mainUrl } = request.site
    const { a: artistText } = request.query
    if (hostClass !== 'main' || typeof artistText !== 'string' || !isSearchText(artistText)) return reply.callNotFound()
    const revisionBeforeRead = storage.revision()
    const foldedText = foldText(artistText)
    const artistName = await storage.newestSongs.findArtistName(foldedText)
    if (artistName === undefined) return reply.callNotFound()
    const songs = await storage.newestSongs.listOfArtists([foldedText], createNewestOptions(), await site.viewOf(brand))
    const { NAME } = await site.settingsOf(brand)
    const feedPath = createArtistAtomPath(artistName)
    const pagePath = `/search?${new URLSearchParams({ q: artistName, type: 'artist' })}`
    const artistFeed = renderSongFeed({
      origin: mainUrl,
      siteName: NAME,
      title: formatPageTitle(formatSearchHeading(artistName, true), { NAME }),
      feedPath,
      pagePath,
      songs,
    })
    return sendFeed(request, reply, feedPath, artistFeed, revisionBeforeRead)
  })

  app.get<{ Querystring: { p?: unknown } }>(PLAYLIST_ATOM_PATH, async (request, reply) => {
    const { brand, hostClass, mainUrl } = request.site
    const { p: playlistId } = request.query
    if (hostClass !== 'main' || typeof playlistId !== 'string' || !isPlaylistId(playlistId)) return reply.callNotFound()
    const revisionBeforeRead = storage.revision()
    const [playlist, songs] = await Promise.all([
      storage.playlists.find(playlistId),
      storage.newestSongs.listOfPlaylist(playlistId, createNewestOptions(), await site.viewOf(brand)),
    ])
    if (playlist === undefined || songs === undefined) return reply.callNotFound()
    const { NAME } = await site.settingsOf(brand)
    const feedPath = createPlaylistAtomPath(playlistId)
    const playlistFeed = renderSongFeed({
      origin: mainUrl,
      siteName: NAME,
      title: formatPageTitle(playlist.title, { NAME }),
      feedPath,
      pagePath: playlist.url,
      songs,
    })
    return sendFeed(request, reply, feedPath, playlistFeed, revisionBeforeRead)
  })
}
