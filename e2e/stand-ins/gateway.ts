import { once } from 'node:events'
import { createServer, request as requestFrom } from 'node:http'
import { findFreePort } from '../server.ts'

/** A proxy in front of a site. It redirects every request without the proxy's cookie to a login page on another host. */
export interface LoginGateway {
  origin: string
  loginOrigin: string
  /** The paths of requests that had the proxy's cookie. */
  readonly admittedPaths: readonly string[]
  stop(): Promise<void>
}

export const GATEWAY_COOKIE = 'gate'

/** Starts the gateway in front of the site at `sitePort`. Its login page has one link, which logs in and returns to the site. */
export async function startLoginGateway(sitePort: number): Promise<LoginGateway> {
  const port = await findFreePort()
  const origin = `http://localhost:${port}`
  const loginOrigin = `http://login.localhost:${port}`
  const admittedPaths: string[] = []
  const server = createServer((request, response) => {
    const { method, url = '/', headers } = request
    if (headers.host?.startsWith('login.')) {
      response.writeHead(200, { 'content-type': 'text/html' }).end(`<h1>Gateway</h1><a href="${origin}/gate">Let me in</a>`)
    } else if (url === '/gate') {
      response.writeHead(302, { location: '/', 'set-cookie': `${GATEWAY_COOKIE}=1; Path=/`, 'cache-control': 'no-store' }).end()
    } else if (!headers.cookie?.includes(`${GATEWAY_COOKIE}=1`)) {
      response.writeHead(302, { location: `${loginOrigin}/`, 'cache-control': 'no-store' }).end()
    } else {
      admittedPaths.push(url)
      const forwarded = requestFrom({ port: sitePort, method, path: url, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(response)
      })
      forwarded.on('error', () => response.destroy())
      request.pipe(forwarded)
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
