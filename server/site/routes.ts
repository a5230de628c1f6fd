import { ApiError } from '../../contract/errors.ts'
import { type Hosts, hostName } from '../http/hosts.ts'
import type { Websites } from '../websites/websites.ts'
import type { RouteContext } from '../route-context.ts'

/**
 * Registers `/host`, which a proxy with TLS on demand asks for each new name. It knows the main and radio hosts, and the subdomains that belong to
 * somebody, so that nobody can make the proxy request certificates for names of their choice.
 */
export function registerHosts({ endpoint }: RouteContext, hosts: Hosts, websites: Pick<Websites, 'isKnown'>): void {
  endpoint('GET /host', {}, async ({ domain }) => {
    const name = hostName(domain)
    if (name !== '' && hosts.isOwnHost(name)) {
      const { hostClass, subdomain } = hosts.siteOf(name)
      if (hostClass !== 'subscriber' || (await websites.isKnown(subdomain))) return null
    }
    throw new ApiError('not-found', 'This server does not serve that host.')
  })
}
