import type { FastifyInstance } from 'fastify'
import { contentDocumentNames } from '../../contract/content.ts'
import { ApiError } from '../../contract/errors.ts'
import { type HostResolver, readHostName } from '../http/hosts.ts'
import type { RouteContext } from '../route-context.ts'
import type { Storage } from '../storage/open.ts'
import type { ContentService } from './content.ts'
import { type LogoType, logoTypes } from './logo-types.ts'

interface SiteDeps {
  hosts: HostResolver
  content: ContentService
  /** Whether a website or a supporter has the domain name, which is the first label of the host name. */
  isWebsite: (domainName: string) => Promise<boolean>
}

/** Registers the endpoints of the site's settings, its hosts and its long texts. */
export function registerSiteRoutes(context: RouteContext, deps: SiteDeps): void {
  context.endpoint('GET /site', { isCached: true }, (_input, request) => context.site.siteOf(request.site))
  registerHostEndpoint(context, deps)
  registerContent(context, deps.content)
}

/**
 * Registers `/host`, at which a proxy with on-demand TLS asks whether it may request a certificate for a host name. Only the main and radio hosts
 * and the subdomains of existing websites are accepted, so that nobody can make the proxy request certificates for arbitrary names.
 */
function registerHostEndpoint({ endpoint }: RouteContext, { hosts, isWebsite }: SiteDeps): void {
  endpoint('GET /host', {}, async ({ domain }) => {
    const hostName = readHostName(domain)
    if (hostName !== '' && hosts.isOwnHost(hostName)) {
      const { hostClass, subdomain } = hosts.siteOf(hostName)
      if (hostClass !== 'subscriber' || (await isWebsite(subdomain))) return null
    }
    throw new ApiError('not-found', 'This server does not serve that host.')
  })
}

/** Registers the endpoints of the brand's long texts. */
function registerContent({ endpoint }: RouteContext, contentService: ContentService): void {
  for (const name of contentDocumentNames)
    endpoint(`GET /content/${name}`, { isCached: true }, (_input, request) => contentService.documentOf(name, request.site.brand))
}

/** The Content Security Policy prevents that a logo that is opened as a page runs or loads anything. */
const LOGO_POLICY = "sandbox; default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"

/** Registers the logos that an admin has stored. Their addresses contain a hash of their bytes, so that they never change. */
export function registerLogoRoutes(app: FastifyInstance, { settings }: Pick<Storage, 'settings'>): void {
  app.get<{ Params: { hash: string; type: LogoType } }>(
    `/img/logo/:hash(^[0-9a-f]{32}).:type(^${Object.keys(logoTypes).join('|')})`,
    async ({ params: { hash, type } }, reply) => {
      const logoFile = await settings.readLogo(hash)
      if (logoFile === undefined || logoFile.type !== type) return reply.callNotFound()
      return reply
        .type(logoTypes[type])
        .headers({
          'cache-control': 'public, max-age=31536000, immutable',
          'content-security-policy': LOGO_POLICY,
          'cross-origin-resource-policy': 'cross-origin',
          'x-content-type-options': 'nosniff',
        })
        .send(logoFile.bytes)
    },
  )
}
