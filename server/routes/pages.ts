import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Brand } from '../../brands/brand.ts'
import { brands } from '../../brands/registry.ts'
import type { FirstData, Prerender } from '../../contract/first-data.ts'
import { type Answer, createAnswer, pack, type ReadCache } from '../http/read-cache.ts'
import type { SecurityHeaders } from '../http/security.ts'
import { sendAnswer } from '../http/send.ts'
import type { Chunks } from '../pages/chunks.ts'
import { brandStyle, createDocument } from '../pages/document.ts'
import { firstDataOf } from '../pages/first-data.ts'
import { escapeHtml } from '../pages/markup.ts'
import { starterSource } from '../pages/program.ts'
import { type PageRequest, plainHead, resolvePage } from '../pages/resolve-page.ts'
import { SHELL_PATHS_HEADER, shellPaths } from '../pages/shell-paths.ts'
import type { Log } from '../services/log.ts'
import type { SiteSettings } from '../services/site-settings.ts'
import type { Storage } from '../storage/storage.ts'

interface PagesDeps {
  /** The built `index.html`. */
  template: string
  chunks: Chunks
  /** Renders the first paint; without it a page opens with its heading alone. */
  prerender: Prerender | undefined
  storage: Storage
  site: SiteSettings
  cache: ReadCache
  headers: SecurityHeaders
  nowMs: () => number
  log: Log
}

/** An address that no route has. */
const NO_PAGE = '/no-such-page'

/** Answers addresses that people open, each with its own head; what is no address of the host gets the 404 page. */
export function createPages({ template, chunks, prerender, storage, site, cache, headers, nowMs, log }: PagesDeps) {
  const render = createDocument(template)
  const styles = new Map(
    brands.map((brand) => {
      return [brand.id, brandStyle(brand)]
    }),
  )
  const styleOf = (brand: Brand) => {
    const style = styles.get(brand.id)
    if (style === undefined) throw new Error(`no style for ${brand.id}`)
    return style
  }
  const headersOf = (cspSources: string, caching: string) => ({
    ...headers.page(cspSources, starterSource),
    'content-type': 'text/html; charset=utf-8',
    'cache-control': caching,
  })

  async function answerOf(request: FastifyRequest): Promise<Answer> {
    const host = request.site
    const style = styleOf(host.brand)
    const [pathname = '/', ...search] = request.url.split('?')
    const [settings, view, siteData] = await Promise.all([site.settingsOf(host.brand), site.viewOf(host.brand), site.siteOf(host)])
    const asked: PageRequest = {
      host,
      path: pathname.replace(/(?<=.)\/+$/, ''),
      query: new URLSearchParams(search.join('?')),
      settings,
      view,
    }
    let status = 500
    let head = plainHead(asked)
    let data: FirstData = {}
    let markup: string | undefined
    try {
      ;[head, data] = await Promise.all([resolvePage(asked, storage), firstDataOf(asked, storage, nowMs())])
      status = head.status
      // No route has this address, so what is rendered is the page for that.
      const address = [asked.path, ...search].join('?')
      markup = await prerender?.renderPage(siteData, status === 404 ? NO_PAGE : address, data)
    } catch (error) {
      log.error({ req: request, err: error }, 'page failed')
    }
    const parts = host.hostClass === 'main' ? chunks.partsOf(asked.path) : chunks.landing()
    const { html, cspSources } = render({
      ...{ head, site: siteData, brand: host.brand, ...style, origin: host.origin, parts },
      markup: markup ?? `<h1>${escapeHtml(head.heading)}</h1>`,
      ...(markup !== undefined && status === 200 && { first: { path: request.url, data } }),
    })
    return createAnswer(status, html, headersOf(cspSources, status === 200 ? 'no-cache' : 'no-store'))
  }

  /** The document that stands in for every address of the host: for the service worker. */
  async function shellOf(request: FastifyRequest): Promise<Answer> {
    const host = request.site
    const [settings, view, siteData] = await Promise.all([site.settingsOf(host.brand), site.viewOf(host.brand), site.siteOf(host)])
    const { canonical: _none, ...plain } = plainHead({ host, path: '/', query: new URLSearchParams(), settings, view })
    const head = { ...plain, title: settings.NAME, heading: settings.NAME, jsonLd: [], listed: false }
    const style = styleOf(host.brand)
    const parts = host.hostClass === 'main' ? chunks.partsOf('') : chunks.landing()
    const { html, cspSources } = render({
      ...{ head, site: siteData, brand: host.brand, ...style, origin: host.origin, parts },
      markup: prerender?.renderShell(siteData) ?? `<h1>${escapeHtml(head.heading)}</h1>`,
    })
    return createAnswer(200, html, { ...headersOf(cspSources, 'no-cache'), [SHELL_PATHS_HEADER]: shellPaths(host, settings) })
  }

  const page = (make: (request: FastifyRequest) => Promise<Answer>) => async (request: FastifyRequest, reply: FastifyReply) => {
    const readAt = storage.revision()
    const answer = await make(request)
    await pack(answer)
    if (answer.status === 200) cache.set(request.site.key, request.url, readAt, answer)
    return sendAnswer(request, reply, answer)
  }
  return { page: page(answerOf), shell: page(shellOf) }
}
export type Pages = ReturnType<typeof createPages>

/** Addresses that redirect: what shortcuts of the installed app open, so that they stay in its scope. */
export function registerRedirects(app: FastifyInstance, storage: Storage): void {
  app.get('/go/random', async (_request, reply) => {
    const song = await storage.songs.random(undefined, undefined)
    const target = song === undefined ? '/' : `/song?s=${song.youtube_id}&p=${encodeURIComponent(song.category_id)}&shuffle`
    return reply.header('cache-control', 'no-store').redirect(target, 302)
  })
  app.get('/go/favorites', (_request, reply) => reply.header('cache-control', 'no-store').redirect('/account', 302))
  // What is shared with the installed app comes as a form; the maker's page takes files itself, so what arrives here is not read.
  app.post('/account/maker', (_request, reply) => reply.header('cache-control', 'no-store').redirect('/account/maker', 303))
  app.get('/go/radio', (request, reply) => reply.header('cache-control', 'no-store').redirect(`${request.site.radioUrl}/`, 302))
}
