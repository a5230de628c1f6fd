import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { foldText } from '../../contract/fold-text.ts'
import { ARTIST_ATOM_PATH, ATOM_PATH, artistAtomPath, PLAYLIST_ATOM_PATH, playlistAtomPath } from '../../contract/news.ts'
import { pageTitle, searchHeading } from '../../contract/page-titles.ts'
import type { HostSite } from '../http/hosts.ts'
import { compressInBackground, createCachedResponse, type ReadCache } from '../http/read-cache.ts'
import { cacheKeyOf } from '../http/request.ts'
import { sendCachedResponse } from '../http/send.ts'
import type { SiteSettings } from '../site/settings.ts'
import type { Storage } from '../storage/open.ts'
import { newsFeed, songFeed } from './atom.ts'
import { isPlaylistId, isSearchText } from './resolve-page.ts'
import { pagesSitemap, rowsSitemap, sitemapIndex, sitemapKinds } from './sitemap.ts'

/** The number of news items or songs in a feed. */
const MAX_ATOM_ITEMS = 50
const XML_TYPE = 'application/xml; charset=utf-8'
const CACHE_CONTROL = 'public, max-age=3600'

const robotsTxt = ({ hostClass, mainUrl }: HostSite): string =>
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
  const xmlReply = (reply: FastifyReply) => reply.type(XML_TYPE).header('cache-control', CACHE_CONTROL)

  app.get('/robots.txt', (request, reply) =>
    reply.type('text/plain; charset=utf-8').header('cache-control', CACHE_CONTROL).send(robotsTxt(request.site)),
  )
  app.get('/sitemap.xml', async ({ site: host }, reply) => {
    if (host.hostClass !== 'main') return reply.callNotFound()
    return xmlReply(reply).send(await sitemapIndex(host.mainUrl, storage.addresses))
  })
  app.get('/sitemaps/pages.xml', async ({ site: host }, reply) => {
    if (host.hostClass !== 'main') return reply.callNotFound()
    return xmlReply(reply).send(pagesSitemap(host.mainUrl, (await site.settingsOf(host.brand)).WHAT_IS_PATH))
  })
  for (const kind of sitemapKinds) {
    app.get<{ Params: { part: string } }>(`/sitemaps/${kind}-:part(^[1-9]\\d{0,4}).xml`, async ({ site: host, params }, reply) => {
      const sitemap = host.hostClass === 'main' ? await rowsSitemap(host.mainUrl, storage.addresses, kind, Number(params.part)) : undefined
      return sitemap === undefined ? reply.callNotFound() : xmlReply(reply).send(sitemap)
    })
  }
}

/** Registers the Atom feeds of main hosts: the news, and the new songs of each artist and each playlist. */
export function registerFeedRoutes(app: FastifyInstance, { storage, site, cache, nowMs }: FeedDeps): void {
  const newestOptions = () => ({ limit: MAX_ATOM_ITEMS, untilMs: nowMs() })

  /** Sends a feed. It is cached only under its canonical address, so that other queries do not displace other responses. */
  function sendFeed(request: FastifyRequest, reply: FastifyReply, urlPath: string, feed: string, revision: number): FastifyReply {
    const feedHeaders = { 'content-type': 'application/atom+xml; charset=utf-8', 'cache-control': 'no-cache' }
    const response = createCachedResponse(200, feed, feedHeaders)
    if (request.raw.url === urlPath) {
      compressInBackground(response)
      cache.set(cacheKeyOf(request), revision, response)
    }
    return sendCachedResponse(request, reply, response)
  }

  app.get(ATOM_PATH, async (request, reply) => {
    const { brand, hostClass, mainUrl } = request.site
    if (hostClass !== 'main') return reply.callNotFound()
    const revision = storage.revision()
    const [items, { NAME }] = await Promise.all([storage.feed.list({ limit: MAX_ATOM_ITEMS, offset: 0 }, nowMs()), site.settingsOf(brand)])
    return sendFeed(request, reply, ATOM_PATH, newsFeed({ origin: mainUrl, siteName: NAME, items }), revision)
  })

  app.get<{ Querystring: { a?: unknown } }>(ARTIST_ATOM_PATH, async (request, reply) => {
    const { brand, hostClass, mainUrl } = request.site
    const { a: text } = request.query
    if (hostClass !== 'main' || typeof text !== 'string' || !isSearchText(text)) return reply.callNotFound()
    const revision = storage.revision()
    const foldedText = foldText(text)
    const name = await storage.newestSongs.findArtistName(foldedText)
    if (name === undefined) return reply.callNotFound()
    const songs = await storage.newestSongs.listOfArtists([foldedText], newestOptions(), await site.viewOf(brand))
    const { NAME } = await site.settingsOf(brand)
    const feedPath = artistAtomPath(name)
    const pagePath = `/search?${new URLSearchParams({ q: name, type: 'artist' })}`
    const feed = songFeed({
      origin: mainUrl,
      siteName: NAME,
      title: pageTitle(searchHeading(name, true), { NAME }),
      feedPath,
      pagePath,
      songs,
    })
    return sendFeed(request, reply, feedPath, feed, revision)
  })

  app.get<{ Querystring: { p?: unknown } }>(PLAYLIST_ATOM_PATH, async (request, reply) => {
    const { brand, hostClass, mainUrl } = request.site
    const { p: id } = request.query
    if (hostClass !== 'main' || typeof id !== 'string' || !isPlaylistId(id)) return reply.callNotFound()
    const revision = storage.revision()
    const [playlist, songs] = await Promise.all([
      storage.playlists.find(id),
      storage.newestSongs.listOfPlaylist(id, newestOptions(), await site.viewOf(brand)),
    ])
    if (playlist === undefined || songs === undefined) return reply.callNotFound()
    const { NAME } = await site.settingsOf(brand)
    const feedPath = playlistAtomPath(id)
    const feed = songFeed({
      origin: mainUrl,
      siteName: NAME,
      title: pageTitle(playlist.title, { NAME }),
      feedPath,
      pagePath: playlist.url,
      songs,
    })
    return sendFeed(request, reply, feedPath, feed, revision)
  })
}
