import { once } from 'node:events'
import { createServer, request as requestFrom } from 'node:http'
import { findFreePort } from '../server.ts'

/**
 * A proxy in front of a site, which answers requests without the proxy's cookie by a login page: by a redirect to another host, as Cloudflare Access and
 * Authelia do, or by the page itself with status 200, as a proxy with forms of its own or a captive portal does.
 */
export interface LoginGateway {
  origin: string
  loginOrigin: string
  /** The paths of requests that had the proxy's cookie. */
  readonly admittedPaths: readonly string[]
  stop(): Promise<void>
}

export const GATEWAY_COOKIE = 'gate'

/**
 * Starts the gateway in front of the site at `sitePort`. Its login page has one link, which logs in and returns to the site.
 * @param isRedirecting whether the login page is on another host
 */
export async function startLoginGateway(sitePort: number, { isRedirecting = true } = {}): Promise<LoginGateway> {
  const port = await findFreePort()
  const origin = `http://localhost:${port}`
  const loginOrigin = `http://login.localhost:${port}`
  const admittedPaths: string[] = []
  const server = createServer((request, response) => {
    const { method, url = '/', headers } = request
    const isAdmitted = headers.cookie?.includes(`${GATEWAY_COOKIE}=1`) === true
    if (headers.host?.startsWith('login.') || (!isRedirecting && !isAdmitted && url !== '/gate')) {
      response.writeHead(200, { 'content-type': 'text/html' }).end(`<h1>Gateway</h1><a href="${origin}/gate">Let me in</a>`)
    } else if (url === '/gate') {
      response.writeHead(302, { location: '/', 'set-cookie': `${GATEWAY_COOKIE}=1; Path=/`, 'cache-control': 'no-store' }).end()
    } else if (!isAdmitted) {
      response.writeHead(302, { location: `${loginOrigin}/`, 'cache-control': 'no-store' }).end()
    } else {
      admittedPaths.push(url)
      const siteRequest = requestFrom({ port: sitePort, method, path: url, headers }, (siteResponse) => {
        response.writeHead(siteResponse.statusCode ?? 502, siteResponse.headers)
        siteResponse.pipe(response)
      })
      siteRequest.on('error', () => response.destroy())
      request.pipe(siteRequest)
    }
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin,
    loginOrigin,
    admittedPaths,
    async stop() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
