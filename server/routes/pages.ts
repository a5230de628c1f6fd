import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { brands } from '../../brands/registry.ts'
import { type Answer, createAnswer, type ReadCache } from '../http/read-cache.ts'
import type { SecurityHeaders } from '../http/security.ts'
import { sendAnswer } from '../http/send.ts'
import { brandStyle, createDocument } from '../pages/document.ts'
import { type PageRequest, plainHead, resolvePage } from '../pages/resolve-page.ts'
import type { Log } from '../services/log.ts'
import type { SiteSettings } from '../services/site-settings.ts'
import type { Storage } from '../storage/storage.ts'

interface PagesDeps {
  /** The built `index.html`. */
  template: string
  storage: Storage
  site: SiteSettings
  cache: ReadCache
  headers: SecurityHeaders
  log: Log
}

/** Answers addresses that people open, each with its own head; what is no address of the host gets the 404 page. */
export function createPages({ template, storage, site, cache, headers, log }: PagesDeps) {
  const render = createDocument(template)
  const styles = new Map(
    brands.map((brand) => {
      const { css, cspSource } = brandStyle(brand)
      return [brand.id, { css, headers: { ...headers.page(cspSource), 'content-type': 'text/html; charset=utf-8' } }]
    }),
  )

  async function answerOf(request: FastifyRequest): Promise<Answer> {
    const host = request.site
    const style = styles.get(host.brand.id)
    if (style === undefined) throw new Error(`no style for ${host.brand.id}`)
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
    try {
      head = await resolvePage(asked, storage)
      status = head.status
    } catch (error) {
      log.error({ req: request, err: error }, 'page head failed')
    }
    const caching = { 'cache-control': status === 200 ? 'no-cache' : 'no-store' }
    return createAnswer(status, render(head, siteData, host.brand, style.css, host.origin), { ...style.headers, ...caching })
  }

  return async function page(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const readAt = storage.revision()
    const answer = await answerOf(request)
    if (answer.status === 200) cache.set(request.site.key, request.url, readAt, answer)
    return sendAnswer(request, reply, answer)
  }
}
export type Page = ReturnType<typeof createPages>

/** Addresses that redirect: what shortcuts of the installed app open, so that they stay in its scope. */
export function registerRedirects(app: FastifyInstance, storage: Storage): void {
  app.get('/go/random', async (_request, reply) => {
    const song = await storage.songs.random(undefined, undefined)
    const target = song === undefined ? '/' : `/song?s=${song.youtube_id}&p=${encodeURIComponent(song.category_id)}&shuffle`
    return reply.header('cache-control', 'no-store').redirect(target, 302)
  })
  app.get('/go/radio', (request, reply) => reply.header('cache-control', 'no-store').redirect(`${request.site.radioUrl}/`, 302))
}
