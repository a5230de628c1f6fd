import { LRUCache } from 'lru-cache'
import type { Brand } from '../../brands/brand.ts'
import { brandOfHost } from '../../brands/registry.ts'
import type { SiteHostKind } from '../../contract/site.ts'
import { limitEntries } from '../lru-limit.ts'

/** The site that a request's host name belongs to. Its URLs are built from the configuration, never from the raw `Host` header. */
export interface HostSite {
  brand: Brand
  hostClass: SiteHostKind
  /** The subdomain that names the subscriber of a `subscriber` site; empty for other sites. */
  subdomain: string
  /** The canonical origin of this site. */
  origin: string
  /** The origin of the brand's main site. */
  mainUrl: string
  /** The origin of the brand's radio. */
  radioUrl: string
  /** The cache key of the site: equal for two hosts only if their responses are equal. */
  key: string
}

const MAIN_SUBDOMAINS = new Set(['', 'www', 'dev'])
const RADIO_SUBDOMAIN = 'fm'
const HOST_NAME_PATTERN = /^[a-z0-9-]+(?:\.[a-z0-9-]+)*$/
const IPV4_PATTERN = /^\d+(?:\.\d+){3}$/
const CACHED_HOSTS_MAX = 1000

/** Returns the host name of a `Host` header without its port; empty if the header is missing or malformed. */
export function hostNameOf(header: string | undefined): string {
  const name = (header ?? '')
    .toLowerCase()
    .replace(/:\d{0,5}$/, '')
    .replace(/\.$/, '')
  return name.length <= 253 && HOST_NAME_PATTERN.test(name) ? name : ''
}

/** Returns a function that maps a domain name to the origin of that subscriber's site, which is a subdomain of the main site. */
export const websiteUrlOf =
  ({ mainUrl }: Pick<HostSite, 'mainUrl'>) =>
  (domainName: string): string =>
    mainUrl.replace('//', `//${domainName}.`)

/** Resolves `Host` headers to sites. A host that is not below any of `siteHosts` is treated as a main site. */
export function createHostResolver(config: { siteHosts: readonly string[]; publicOrigin: URL }) {
  const { protocol, port, host: publicHost, hostname: publicName } = config.publicOrigin
  const originOf = (host: string) => `${protocol}//${host}${port === '' ? '' : `:${port}`}`
  const longestFirst = [...config.siteHosts].sort((a, b) => b.length - a.length)
  // The number of cached host names is bounded, because clients can send any host name.
  const sites = new LRUCache<string, HostSite>(limitEntries(CACHED_HOSTS_MAX))

  /** Returns the radio's origin. An IP address has no subdomains, so the brand's first named host is used for it. */
  function radioUrl(host: string, brand: Brand): string {
    const namedHost = IPV4_PATTERN.test(host)
      ? config.siteHosts.find((each) => !IPV4_PATTERN.test(each) && brandOfHost(each).id === brand.id)
      : host
    return originOf(namedHost === undefined ? host : `${RADIO_SUBDOMAIN}.${namedHost}`)
  }

  const withKey = (site: Omit<HostSite, 'key'>): HostSite => ({ ...site, key: `${site.brand.id} ${site.hostClass} ${site.origin} ` })

  const isBelowSiteHost = (name: string) => config.siteHosts.some((siteHost) => name === siteHost || name.endsWith(`.${siteHost}`))

  function resolveHost(name: string): HostSite {
    const bareHost = longestFirst.find((each) => name === each || name.endsWith(`.${each}`))
    const brand = brandOfHost(name === '' ? publicName : name)
    if (bareHost === undefined) {
      const origin = `${protocol}//${publicHost}`
      return withKey({ brand, hostClass: 'main', subdomain: '', origin, mainUrl: origin, radioUrl: radioUrl(publicName, brand) })
    }
    const subdomain = name.slice(0, Math.max(0, name.length - bareHost.length - 1))
    const urls = { mainUrl: originOf(bareHost), radioUrl: radioUrl(bareHost, brand) }
    if (MAIN_SUBDOMAINS.has(subdomain)) return withKey({ brand, hostClass: 'main', subdomain: '', origin: urls.mainUrl, ...urls })
    if (subdomain === RADIO_SUBDOMAIN) return withKey({ brand, hostClass: 'radio', subdomain: '', origin: urls.radioUrl, ...urls })
    return withKey({ brand, hostClass: 'subscriber', subdomain, origin: originOf(name), ...urls })
  }

  return {
    siteOf(header: string | undefined): HostSite {
      const cachedSite = sites.get(header ?? '')
      if (cachedSite !== undefined) return cachedSite
      const site = resolveHost(hostNameOf(header))
      sites.set(header ?? '', site)
      return site
    },
    /**
     * Whether the name can be the subdomain of a subscriber's site. Names that the sites use themselves (such as `www` and
     * `fm`), and names that would make the host one of another brand, cannot.
     */
    isSubscriberName: (name: string) =>
      config.siteHosts.every((host) => {
        const { subdomain, brand } = resolveHost(`${name}.${host}`)
        return IPV4_PATTERN.test(host) || (subdomain === name && brand.id === resolveHost(host).brand.id)
      }),
    /** Whether `name` is the host of the public origin, a site host or a subdomain of one. */
    isOwnHost: (name: string) => name === publicName || isBelowSiteHost(name),
    /** Whether `origin` (`scheme://host:port`) is one of a site host or of a subdomain of one. */
    isOwnOrigin(origin: string): boolean {
      if (origin === config.publicOrigin.origin) return true
      const url = URL.canParse(origin) ? new URL(origin) : undefined
      if (url === undefined || url.origin !== origin || url.protocol !== protocol || url.port !== port) return false
      return isBelowSiteHost(url.hostname)
    },
  }
}
export type HostResolver = ReturnType<typeof createHostResolver>
