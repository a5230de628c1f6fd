import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LOGIN_PAGE_PATH } from '../../contract/login-page-path.ts'
import { CATCH_ALL_ROUTE, createPageAddress, listPagePathsOfHost, NOT_FOUND_ADDRESS } from '../../contract/pages.ts'
import { isRevocablePath, SHELL_PATHS_HEADER, SHELL_URL } from '../../contract/paths.ts'
import { formatRadioTitle } from '../../contract/radio-page.ts'
import type { Settings } from '../../contract/site.ts'
import { findNetwork } from '../http/client-id.ts'
import { isDatabaseUnavailable } from '../http/errors.ts'
import type { HostSite } from '../http/hosts.ts'
import type { CachedResponse, ReadCache } from '../http/read-cache.ts'
import type { SecurityHeaders } from '../http/security.ts'
import { sendCachedResponse } from '../http/send.ts'
import type { Log } from '../log.ts'
import type { PromotionService } from '../promotion/promotions.ts'
import type { RadioStations, StationProgramme } from '../radio/radio.ts'
import type { ContentService } from '../site/content.ts'
import type { SiteSettings } from '../site/settings.ts'
import type { Storage } from '../storage/open.ts'
import type { WebsiteService } from '../websites/websites.ts'
import { type AssembleDocument, type AssembledDocument, createDocumentAssembler, type DocumentSource } from './assemble-document.ts'
import { type CreatedResponse, createDocumentLoader } from './document-loader.ts'
import { DocumentResponse } from './document-response.ts'
import { loadInitialData } from './initial-data.ts'
import { createOembedUrl, OEMBED_TYPE } from './oembed-link.ts'
import type { PageGate } from './page-gate.ts'
import { createFallbackHead, type PageRequest, resolvePage } from './resolve-page.ts'

interface AssembledPage {
  document: AssembledDocument
  /** Whether the document contains the rendered page. */
  isRendered: boolean
}

/**
 * Creates the function that makes the document of a page. If rendering fails, the document contains only the heading, and the client renders the page
 * itself.
 */
function createPageAssembler(assemble: AssembleDocument, assembleHeading: AssembleDocument, log: Log) {
  return async function assemblePage(pageAddress: string, source: DocumentSource): Promise<AssembledPage> {
    if (source.content !== 'heading') {
      try {
        return { document: await assemble(source), isRendered: true }
      } catch (error) {
        log.error({ address: pageAddress, err: error }, 'page failed')
      }
    }
    return { document: await assembleHeading({ ...source, content: 'heading' }), isRendered: false }
  }
}

/** Returns the value of `SHELL_PATHS_HEADER`: the paths of a host that the service worker may answer with the shell. */
function listShellPaths({ hostClass }: Pick<HostSite, 'hostClass'>, settings: Pick<Settings, 'WHAT_IS_PATH'>): string {
  const paths = listPagePathsOfHost(hostClass, settings)
  return paths === '*' ? paths : paths.join(',')
}

interface PagesDeps {
  /** The folder of the built client. */
  clientDir: string
  /** Makes documents; by default in this thread, with their heading only. */
  assembleDocument: AssembleDocument | undefined
  storage: Storage
  site: SiteSettings
  content: ContentService
  radio: Pick<RadioStations, 'onAir'>
  promotions: Pick<PromotionService, 'today'>
  websites: Pick<WebsiteService, 'info' | 'redirectOf' | 'cardOf'>
  cache: ReadCache
  pageGate: PageGate<CachedResponse>
  headers: SecurityHeaders
  nowMs: () => number
  log: Log
}

/** Creates the request handlers for HTML documents: pages, each with its own head, the 404 page, and the shell document. */
export function createPageHandlers({
  clientDir,
  assembleDocument,
  storage,
  site,
  content,
  radio,
  promotions,
  websites,
  cache,
  pageGate,
  headers,
  nowMs,
  log,
}: PagesDeps) {
  const assembleHeading = createDocumentAssembler(clientDir)
  const assembleSource = assembleDocument ?? assembleHeading
  const assemblePage = createPageAssembler(assembleSource, assembleHeading, log)
  const documentLoader = createDocumentLoader({ cache, readRevision: () => storage.revision(), gate: pageGate })
  const createHeaders = ({ styleSources, scriptSources }: AssembledDocument, cacheControl: string) => ({
    ...headers.page(styleSources, scriptSources),
    'content-type': 'text/html; charset=utf-8',
    // `no-transform` forbids proxies to rewrite documents, as Cloudflare's protection of email addresses does, because this would break
    // hydration and the Content Security Policy.
    'cache-control': `${cacheControl}, no-transform`,
  })

  async function createPage(host: HostSite, pageAddress: string, onAir?: StationProgramme): Promise<CreatedResponse> {
    const [pagePath = '/', queryText = ''] = pageAddress.split('?')
    const [settings, readOptions, siteData] = await Promise.all([site.settingsOf(host.brand), site.viewOf(host.brand), site.siteOf(host)])
    const pageRequest: PageRequest = {
      host,
      path: pagePath,
      query: new URLSearchParams(queryText),
      settings,
      view: readOptions,
      onAir,
      subscriber: undefined,
    }
    const assetsPath = pagePath === settings.WHAT_IS_PATH ? CATCH_ALL_ROUTE : pagePath
    let statusCode = 500
    let source: DocumentSource = {
      head: createFallbackHead(pageRequest),
      site: siteData,
      origin: host.origin,
      assetsPath,
      content: 'heading',
    }
    try {
      if (host.hostClass === 'subscriber') pageRequest.subscriber = await websites.info(host.subdomain, readOptions)
      const data = await loadInitialData(pageRequest, { storage, content, promotions, websites, nowMs: nowMs() })
      const pageHead = await resolvePage(pageRequest, { storage, content, data, nowMs: nowMs() })
      // All unknown addresses of a host share the document of `NOT_FOUND_ADDRESS`.
      if (pageHead.status === 404 && pageAddress !== NOT_FOUND_ADDRESS)
        return { response: await documentLoader.loadInTurn(host, NOT_FOUND_ADDRESS, createPage), isCacheable: false }
      source = { ...source, head: pageHead, content: { address: pageAddress, data } }
      statusCode = pageHead.status
    } catch (error) {
      // The error handler sends the last document of this URL, or says when to ask again.
      if (isDatabaseUnavailable(error)) throw error
      log.error({ address: pageAddress, err: error }, 'page failed')
    }
    // All pages that wait while the server stops have to be sent before it closes the connections.
    if (pageGate.isClosing()) source = { ...source, content: 'heading' }
    const { document, isRendered } = await assemblePage(pageAddress, source)
    const isRevocable = isRevocablePath(pagePath)
    const oembedUrl = createOembedUrl(host.origin, source.head.canonical)
    const pageHeaders = {
      ...createHeaders(document, statusCode === 200 && !isRevocable ? 'no-cache' : 'no-store'),
      ...(oembedUrl !== undefined && { link: `<${oembedUrl}>; rel="alternate"; type="${OEMBED_TYPE}"` }),
    }
    const response = new DocumentResponse(statusCode, pageHeaders, document)
    return { response, isCacheable: statusCode < 500 && !isRevocable && isRendered }
  }

  /** Creates the shell document, which the service worker uses for every page of the host. */
  async function createShell(host: HostSite): Promise<CreatedResponse> {
    const [settings, readOptions, siteData] = await Promise.all([site.settingsOf(host.brand), site.viewOf(host.brand), site.siteOf(host)])
    const shellRequest = {
      host,
      path: '/',
      query: new URLSearchParams(),
      settings,
      view: readOptions,
      onAir: undefined,
      subscriber: undefined,
    }
    const { canonical: _none, ...homeHead } = createFallbackHead(shellRequest)
    const siteTitle = host.hostClass === 'radio' ? formatRadioTitle(settings) : settings.NAME
    const shellHead = { ...homeHead, title: siteTitle, heading: siteTitle, jsonLd: [], indexable: false }
    const shellSource = { head: shellHead, site: siteData, origin: host.origin, assetsPath: '', content: 'shell' as const }
    const shellDocument = await assembleSource(shellSource)
    const shellHeaders = { ...createHeaders(shellDocument, 'no-cache'), [SHELL_PATHS_HEADER]: listShellPaths(host, settings) }
    const response = new DocumentResponse(200, shellHeaders, shellDocument)
    return { response, isCacheable: true }
  }

  async function sendDocument(
    request: FastifyRequest,
    reply: FastifyReply,
    pageAddress: string,
    createResponse = createPage,
  ): Promise<FastifyReply> {
    const requester = { client: findNetwork(request.ip), response: reply.raw }
    return sendCachedResponse(request, reply, await documentLoader.load(request.site, pageAddress, requester, createResponse))
  }

  /** Sends the document of a radio host. It is rendered once for each song on air, whatever the number of listeners. */
  async function sendRadioDocument(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const onAir = await radio.onAir(request.site.brand, 'main')
    return sendDocument(request, reply, `/#${onAir?.start_time ?? ''}`, (host) => createPage(host, '/', onAir))
  }

  return {
    async page(request: FastifyRequest, reply: FastifyReply) {
      const [pagePath = '/', ...queryParts] = request.url.split('?')
      const decodedPath = decodePath(pagePath)
      // The client's router decodes paths. The server does the same, so that the path of a page with percent-encoded letters leads to that page.
      if (decodedPath !== pagePath && isPageOfHost(request.site, decodedPath, await site.settingsOf(request.site.brand)))
        return reply.header('cache-control', 'no-store').redirect([decodedPath, ...queryParts].join('?'), 302)
      if (request.site.hostClass === 'subscriber') {
        const target = await websites.redirectOf(request.site)
        if (target !== undefined) return reply.header('cache-control', 'no-store').redirect(target, 302)
      }
      // A radio host answers every path with the same page.
      if (request.site.hostClass === 'radio') return sendRadioDocument(request, reply)
      return sendDocument(request, reply, createPageAddress(pagePath, queryParts.join('?')))
    },
    shell: (request: FastifyRequest, reply: FastifyReply) => sendDocument(request, reply, SHELL_URL, createShell),
  }
}

/** Returns `encodedPath` without escapes of characters that need none; `encodedPath` itself if it is malformed. */
function decodePath(encodedPath: string): string {
  try {
    return decodeURI(encodedPath)
  } catch {
    return encodedPath
  }
}

/** Whether the host has a page of its own at `pagePath`. */
function isPageOfHost({ hostClass }: HostSite, pagePath: string, settings: Pick<Settings, 'WHAT_IS_PATH'>): boolean {
  const paths = listPagePathsOfHost(hostClass, settings)
  return paths !== '*' && paths.includes(createPageAddress(pagePath, ''))
}

/** Registers redirects. The installed app's shortcuts open them, because shortcut URLs have to be in the app's scope. */
export function registerRedirects(app: FastifyInstance, storage: Storage): void {
  app.get('/go/random', async (_request, reply) => {
    const song = await storage.songs.pickRandom(undefined, undefined)
    const redirectPath = song === undefined ? '/' : `/song?s=${song.youtube_id}&p=${encodeURIComponent(song.category_id)}&shuffle`
    return reply.header('cache-control', 'no-store').redirect(redirectPath, 302)
  })
  app.get('/go/favorites', (_request, reply) => reply.header('cache-control', 'no-store').redirect('/account', 302))
  // The share target posts a form, which the service worker handles. A form that reaches the server is not read.
  app.register(async (instance) => {
    instance.addContentTypeParser('multipart/form-data', (_request, _body, done) => done(null))
    instance.post('/account/maker', (_request, reply) => reply.header('cache-control', 'no-store').redirect('/account/maker', 303))
  })
  // A navigation that the service worker passes to the network, so that a login page in front of the site can answer it.
  app.get(LOGIN_PAGE_PATH, (_request, reply) => reply.header('cache-control', 'no-store').redirect('/', 302))
  app.get('/go/radio', (request, reply) => reply.header('cache-control', 'no-store').redirect(`${request.site.radioUrl}/`, 302))
}
