import type { Brand } from '../../brands/brand.ts'
import { brandOfHost } from '../../brands/registry.ts'
import type { HostClass } from '../../contract/site.ts'

/** What a request's host stands for. Its URLs are made of configuration, never of the raw `Host` header. */
export interface HostSite {
  brand: Brand
  hostClass: HostClass
  /** The subscriber's name; empty on other hosts. */
  subdomain: string
  /** The canonical origin of this site. */
  origin: string
  /** The origin of the brand's main site. */
  mainUrl: string
  /** The origin of the brand's radio. */
  radioUrl: string
  /** Tells apart all sites whose answers differ. */
  key: string
}

const MAIN = new Set(['', 'www', 'dev'])
const RADIO = 'fm'
const HOST = /^[a-z0-9-]+(?:\.[a-z0-9-]+)*$/
const IPV4 = /^\d+(?:\.\d+){3}$/
const MEMO_MAX = 1000

/** The host name in a `Host` header, without its port; empty where there is none or it is malformed. */
export function hostName(header: string | undefined): string {
  const name = (header ?? '')
    .toLowerCase()
    .replace(/:\d{0,5}$/, '')
    .replace(/\.$/, '')
  return name.length <= 253 && HOST.test(name) ? name : ''
}

/** Tells what site a `Host` header asks for; a host under none of `siteHosts` is answered as a bare host. */
export function createHosts(config: { siteHosts: readonly string[]; publicOrigin: URL }) {
  const { protocol, port, host: publicHost, hostname: publicName } = config.publicOrigin
  const originOf = (host: string) => `${protocol}//${host}${port === '' ? '' : `:${port}`}`
  const longestFirst = [...config.siteHosts].sort((a, b) => b.length - a.length)
  const memo = new Map<string, HostSite>()

  /** An address has no sub-domains, so its radio is that of the first named host of the brand. */
  function radioUrl(host: string, brand: Brand): string {
    const named = IPV4.test(host) ? config.siteHosts.find((each) => !IPV4.test(each) && brandOfHost(each).id === brand.id) : host
    return originOf(named === undefined ? host : `${RADIO}.${named}`)
  }

  const withKey = (site: Omit<HostSite, 'key'>): HostSite => ({ ...site, key: `${site.brand.id} ${site.hostClass} ${site.origin} ` })

  function resolve(name: string): HostSite {
    const bare = longestFirst.find((each) => name === each || name.endsWith(`.${each}`))
    const brand = brandOfHost(name === '' ? publicName : name)
    if (bare === undefined) {
      const origin = `${protocol}//${publicHost}`
      return withKey({ brand, hostClass: 'main', subdomain: '', origin, mainUrl: origin, radioUrl: radioUrl(publicName, brand) })
    }
    const subdomain = name.slice(0, Math.max(0, name.length - bare.length - 1))
    const urls = { mainUrl: originOf(bare), radioUrl: radioUrl(bare, brand) }
    if (MAIN.has(subdomain)) return withKey({ brand, hostClass: 'main', subdomain: '', origin: urls.mainUrl, ...urls })
    if (subdomain === RADIO) return withKey({ brand, hostClass: 'radio', subdomain: '', origin: urls.radioUrl, ...urls })
    return withKey({ brand, hostClass: 'subscriber', subdomain, origin: originOf(name), ...urls })
  }

  return {
    siteOf(header: string | undefined): HostSite {
      const known = memo.get(header ?? '')
      if (known !== undefined) return known
      const site = resolve(hostName(header))
      // Anyone can make up host names: the memo starts over instead of growing.
      if (memo.size >= MEMO_MAX) memo.clear()
      memo.set(header ?? '', site)
      return site
    },
    /** Whether pages of this site can come from `origin` (`scheme://host:port`): that of a site host or of a name below one. */
    isOwnOrigin(origin: string): boolean {
      if (origin === config.publicOrigin.origin) return true
      const url = URL.canParse(origin) ? new URL(origin) : undefined
      if (url === undefined || url.origin !== origin || url.protocol !== protocol || url.port !== port) return false
      return config.siteHosts.some((bare) => url.hostname === bare || url.hostname.endsWith(`.${bare}`))
    },
  }
}
export type Hosts = ReturnType<typeof createHosts>
