import { once } from 'node:events'
import { request } from 'node:http'
import { createServer } from 'node:https'
import { freePort, type Site, startSite } from '../server.ts'
import { createCertificate } from '../stand-ins/certificate.ts'

/** Starts the built site behind a server that adds TLS, as in production. The certificate is self-signed. */
export async function startSecureSite(): Promise<Site> {
  const port = await freePort()
  const origin = `https://localhost:${port}`
  const site = await startSite({ PUBLIC_ORIGIN: origin })
  const tlsServer = createServer(await createCertificate(['localhost', '*.localhost']), (incoming, outgoing) => {
    const { method, url, headers } = incoming
    const forwarded = request({ host: '127.0.0.1', port: site.port, method, path: url, headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(outgoing)
    })
    forwarded.on('error', () => outgoing.destroy())
    incoming.pipe(forwarded)
  }).listen(port, '127.0.0.1')
  await once(tlsServer, 'listening')
  return {
    ...site,
    origin: (subdomain) => (subdomain === undefined ? origin : origin.replace('//', `//${subdomain}.`)),
    async stop() {
      const exitCode = await site.stop()
      tlsServer.close()
      tlsServer.closeAllConnections()
      return exitCode
    },
  }
}
