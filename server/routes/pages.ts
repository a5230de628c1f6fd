import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Brand } from '../../brands/brand.ts'
import { brands } from '../../brands/registry.ts'
import type { FirstData, Prerender } from '../../contract/first-data.ts'
import { pageAddress } from '../../contract/page-address.ts'
import type { Site as SiteData } from '../../contract/site.ts'
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
import type { HostSite } from '../services/hosts.ts'
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
const SHELL_ADDRESS = '/shell'
/** Each takes 20 ms of the only thread: more at once would keep all other requests waiting. */
const RENDERS_AT_ONCE = 8

interface Made {
  answer: Answer
  /** Whether it may be given to those who ask later. */
  keep: boolean
}

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

  async function pageAt(host: HostSite, address: string): Promise<Made> {
    const [path = '/', query = ''] = address.split('?')
    const style = styleOf(host.brand)
    const [settings, view, siteData] = await Promise.all([site.settingsOf(host.brand), site.viewOf(host.brand), site.siteOf(host)])
    const asked: PageRequest = { host, path, query: new URLSearchParams(query), settings, view }
    let status = 500
    let head = plainHead(asked)
    let data: FirstData = {}
    let markup: string | undefined
    try {
      const found = await resolvePage(asked, storage)
      // What is at no address looks the same at all of them.
      if (found.status === 404 && address !== NO_PAGE) return { answer: await once(host, NO_PAGE, pageAt), keep: false }
      data = await firstDataOf(asked, storage, nowMs())
      head = found
      status = head.status
      markup = await renderBounded(siteData, address, data)
    } catch (error) {
      log.error({ address, err: error }, 'page failed')
    }
    const parts = host.hostClass === 'main' ? chunks.partsOf(path) : chunks.landing()
    const { html, cspSources } = render({
      ...{ head, site: siteData, brand: host.brand, ...style, origin: host.origin, parts },
      markup: markup ?? `<h1>${escapeHtml(head.heading)}</h1>`,
      ...(markup !== undefined && status === 200 && { first: { path: address, data } }),
    })
    const answer = createAnswer(status, html, headersOf(cspSources, status === 200 ? 'no-cache' : 'no-store'))
    return { answer, keep: status < 500 && (markup !== undefined || prerender === undefined) }
  }

  let rendering = 0

  /** The markup of a page; none where so many are being made that all would wait: then the page makes it itself. */
  async function renderBounded(siteData: SiteData, address: string, data: FirstData): Promise<string | undefined> {
    if (rendering >= RENDERS_AT_ONCE) return undefined
    rendering++
    try {
      return await prerender?.renderPage(siteData, address, data)
    } finally {
      rendering--
    }
  }

  /** The document that stands in for every address of the host: for the service worker. */
  async function shellOf(host: HostSite): Promise<Made> {
    const [settings, view, siteData] = await Promise.all([site.settingsOf(host.brand), site.viewOf(host.brand), site.siteOf(host)])
    const { canonical: _none, ...plain } = plainHead({ host, path: '/', query: new URLSearchParams(), settings, view })
    const head = { ...plain, title: settings.NAME, heading: settings.NAME, jsonLd: [], listed: false }
    const style = styleOf(host.brand)
    const parts = host.hostClass === 'main' ? chunks.partsOf('') : chunks.landing()
    const { html, cspSources } = render({
      ...{ head, site: siteData, brand: host.brand, ...style, origin: host.origin, parts },
      markup: prerender?.renderShell(siteData) ?? `<h1>${escapeHtml(head.heading)}</h1>`,
    })
    const answer = createAnswer(200, html, { ...headersOf(cspSources, 'no-cache'), [SHELL_PATHS_HEADER]: shellPaths(host, settings) })
    return { answer, keep: true }
  }

  /** Documents that are being made: who asks for one meanwhile gets the same. */
  const making = new Map<string, Promise<Answer>>()

  /** The document at an address of a host: the one that is kept, or one that is made once for all who ask. */
  async function once(host: HostSite, address: string, make: (host: HostSite, address: string) => Promise<Made>): Promise<Answer> {
    const kept = cache.get(host.key, address)
    if (kept !== undefined) return kept
    const readAt = storage.revision()
    const key = `${readAt} ${host.key} ${address}`
    let made = making.get(key)
    if (made === undefined) {
      made = (async () => {
        const { answer, keep } = await make(host, address)
        await pack(answer)
        if (keep) cache.set(host.key, address, readAt, answer)
        return answer
      })().finally(() => making.delete(key))
      making.set(key, made)
    }
    return made
  }

  return {
    async page(request: FastifyRequest, reply: FastifyReply) {
      const [path = '/', ...query] = request.url.split('?')
      // The radio has one page, at every path.
      const address = request.site.hostClass === 'radio' ? '/' : pageAddress(path, query.join('?'))
      return sendAnswer(request, reply, await once(request.site, address, pageAt))
    },
    async shell(request: FastifyRequest, reply: FastifyReply) {
      return sendAnswer(request, reply, await once(request.site, SHELL_ADDRESS, shellOf))
    },
  }
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
