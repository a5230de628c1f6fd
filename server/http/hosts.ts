import { LRUCache } from 'lru-cache'
import type { Brand } from '../../brands/brand.ts'
import { findBrandOfHost } from '../../brands/registry.ts'
import type { SiteHostKind } from '../../contract/site.ts'
import { createEntryLimit } from '../lru-limit.ts'

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
export function readHostName(hostHeader: string | undefined): string {
  const hostName = (hostHeader ?? '')
    .toLowerCase()
    .replace(/:\d{0,5}$/, '')
    .replace(/\.$/, '')
  return hostName.length <= 253 && HOST_NAME_PATTERN.test(hostName) ? hostName : ''
}

/** Returns a function that maps a domain name to the origin of that subscriber's site, which is a subdomain of the main site. */
export const createWebsiteUrlBuilder =
  ({ mainUrl }: Pick<HostSite, 'mainUrl'>) =>
  (domainName: string): string =>
    mainUrl.replace('//', `//${domainName}.`)

/** Resolves `Host` headers to sites. A host that is not below any of `siteHosts` is treated as a main site. */
export function createHostResolver(hostConfig: { siteHosts: readonly string[]; publicOrigin: URL }) {
  const { protocol, port, host: publicHost, hostname: publicName } = hostConfig.publicOrigin
  const createOrigin = (host: string) => `${protocol}//${host}${port === '' ? '' : `:${port}`}`
  const hostsLongestFirst = [...hostConfig.siteHosts].sort((a, b) => b.length - a.length)
  // The number of cached host names is bounded, because clients can send any host name.
  const siteByHost = new LRUCache<string, HostSite>(createEntryLimit(CACHED_HOSTS_MAX))

  /** Returns the radio's origin. An IP address has no subdomains, so the brand's first named host is used for it. */
  function createRadioUrl(host: string, brand: Brand): string {
    const namedHost = IPV4_PATTERN.test(host)
      ? hostConfig.siteHosts.find((each) => !IPV4_PATTERN.test(each) && findBrandOfHost(each).id === brand.id)
      : host
    return createOrigin(namedHost === undefined ? host : `${RADIO_SUBDOMAIN}.${namedHost}`)
  }

  const addSiteKey = (site: Omit<HostSite, 'key'>): HostSite => ({ ...site, key: `${site.brand.id} ${site.hostClass} ${site.origin} ` })

  const isBelowSiteHost = (name: string) => hostConfig.siteHosts.some((siteHost) => name === siteHost || name.endsWith(`.${siteHost}`))

  function resolveHost(hostName: string): HostSite {
    const bareHost = hostsLongestFirst.find((each) => hostName === each || hostName.endsWith(`.${each}`))
    const brand = findBrandOfHost(hostName === '' ? publicName : hostName)
    if (bareHost === undefined) {
      const origin = `${protocol}//${publicHost}`
      return addSiteKey({ brand, hostClass: 'main', subdomain: '', origin, mainUrl: origin, radioUrl: createRadioUrl(publicName, brand) })
    }
    const subdomain = hostName.slice(0, Math.max(0, hostName.length - bareHost.length - 1))
    const siteUrls = { mainUrl: createOrigin(bareHost), radioUrl: createRadioUrl(bareHost, brand) }
    if (MAIN_SUBDOMAINS.has(subdomain))
      return addSiteKey({ brand, hostClass: 'main', subdomain: '', origin: siteUrls.mainUrl, ...siteUrls })
    if (subdomain === RADIO_SUBDOMAIN)
      return addSiteKey({ brand, hostClass: 'radio', subdomain: '', origin: siteUrls.radioUrl, ...siteUrls })
    return addSiteKey({ brand, hostClass: 'subscriber', subdomain, origin: createOrigin(hostName), ...siteUrls })
  }

  return {
    siteOf(hostHeader: string | undefined): HostSite {
      const cachedSite = siteByHost.get(hostHeader ?? '')
      if (cachedSite !== undefined) return cachedSite
      const site = resolveHost(readHostName(hostHeader))
      siteByHost.set(hostHeader ?? '', site)
      return site
    },
    /**
     * Whether the name can be the subdomain of a subscriber's site. Names that the sites use themselves (such as `www` and
     * `fm`), and names that would make the host one of another brand, cannot.
     */
    isSubscriberName: (domainName: string) =>
      hostConfig.siteHosts.every((host) => {
        const { subdomain, brand } = resolveHost(`${domainName}.${host}`)
        return IPV4_PATTERN.test(host) || (subdomain === domainName && brand.id === resolveHost(host).brand.id)
      }),
    /** Whether `name` is the host of the public origin, a site host or a subdomain of one. */
    isOwnHost: (name: string) => name === publicName || isBelowSiteHost(name),
    /** Whether `requestOrigin` (`scheme://host:port`) is one of a site host or of a subdomain of one. */
    isOwnOrigin(requestOrigin: string): boolean {
      if (requestOrigin === hostConfig.publicOrigin.origin) return true
      const url = URL.canParse(requestOrigin) ? new URL(requestOrigin) : undefined
      if (url === undefined || url.origin !== requestOrigin || url.protocol !== protocol || url.port !== port) return false
      return isBelowSiteHost(url.hostname)
    },
  }
}
export type HostResolver = ReturnType<typeof createHostResolver>
