import type { FastifyInstance, FastifyReply } from 'fastify'
import { ATOM_PATH } from '../../contract/news.ts'
import type { HostSite } from '../http/hosts.ts'
import { compressInBackground, createCachedResponse, type ReadCache } from '../http/read-cache.ts'
import { cacheKeyOf } from '../http/request.ts'
import type { SecurityHeaders } from '../http/security.ts'
import { sendCachedResponse } from '../http/send.ts'
import type { SiteSettings } from '../site/settings.ts'
import type { Storage } from '../storage/open.ts'
import { atomFeed } from './atom.ts'
import { pagesSitemap, rowsSitemap, sitemapIndex, sitemapKinds } from './sitemap.ts'

/** The number of news items in the feed. */
const ATOM_ITEMS = 50
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
  headers: SecurityHeaders
  storage: Storage
  site: SiteSettings
  cache: ReadCache
  nowMs: () => number
}

/** Registers what search engines and feed readers read: `robots.txt`, the sitemaps of main hosts, and the news as Atom. */
export function registerDiscovery(app: FastifyInstance, { headers, storage, site, cache, nowMs }: DiscoveryDeps): void {
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
  app.get(ATOM_PATH, async (request, reply) => {
    const { brand, hostClass, mainUrl } = request.site
    if (hostClass !== 'main') return reply.callNotFound()
    const revision = storage.revision()
    const [items, { NAME }] = await Promise.all([storage.feed.list({ limit: ATOM_ITEMS, offset: 0 }, nowMs()), site.settingsOf(brand)])
    const feed = atomFeed({ origin: mainUrl, siteName: NAME, items })
    const feedHeaders = { 'content-type': 'application/atom+xml; charset=utf-8', 'cache-control': 'no-cache' }
    const response = createCachedResponse(200, feed, { ...headers.data, ...feedHeaders })
    if (request.raw.url === ATOM_PATH) {
      compressInBackground(response)
      cache.set(cacheKeyOf(request), revision, response)
    }
    return sendCachedResponse(request, reply, response)
  })
}
