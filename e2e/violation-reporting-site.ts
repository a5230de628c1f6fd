import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { findFreePort, type Site, type SiteStartOptions, startSite } from './server.ts'
import { createCertificate } from './stand-ins/certificate.ts'

export interface ViolationReportingSite extends Site {
  /**
   * The violations in all pages, workers and service workers, as the browsers reported them: directive, blocked URL or sink, and source.
   */
  readonly violations: string[]
  /** Appends code to each script that the site sends and whose path matches `path`, so that the code runs as the site's own. */
  plantScriptCode(path: RegExp, code: string): void
  /** Stops the server, and starts a build on the same port with the same data. The setting `DATA_DIR` is required. */
  restart(build: SiteStartOptions): Promise<void>
}

/** Receives violation reports in the format of `report-uri`. */
export const VIOLATION_REPORT_PATH = '/policy-reports'

/**
 * Starts the built site behind a proxy that adds a URL for violation reports to every content security policy. With `isSecure`, the proxy
 * adds TLS.
 */
export async function startViolationReportingSite(
  env: Record<string, string> = {},
  { isSecure = false } = {},
): Promise<ViolationReportingSite> {
  const port = await findFreePort()
  const createHostOrigin = (host: string) => `http${isSecure ? 's' : ''}://${host}:${port}`
  const settings = { ...env, PUBLIC_ORIGIN: createHostOrigin('localhost') }
  let site = await startSite(settings)
  const violationTexts: string[] = []
  const plantedScripts: { path: RegExp; code: string }[] = []
  const proxyRequest = (proxiedRequest: IncomingMessage, proxiedResponse: ServerResponse) => {
    const { method, url = '/', headers } = proxiedRequest
    if (url === VIOLATION_REPORT_PATH) {
      const bodyChunks: Buffer[] = []
      proxiedRequest.on('data', (chunk: Buffer) => bodyChunks.push(chunk))
      proxiedRequest.on('end', () => {
        const { 'csp-report': violationReport } = JSON.parse(Buffer.concat(bodyChunks).toString())
        violationTexts.push(
          `${violationReport['effective-directive']} blocks ${violationReport['blocked-uri']} ${violationReport['script-sample'] ?? ''} of ${violationReport['source-file']} in ${violationReport['document-uri']}`,
        )
        proxiedResponse.writeHead(204).end()
      })
      return
    }
    const insertedCode = plantedScripts.filter(({ path }) => path.test(url)).map(({ code }) => `\n${code}\n`)
    const requestHeaders = insertedCode.length > 0 ? { ...headers, 'accept-encoding': 'identity' } : headers
    const siteRequest = request({ host: '127.0.0.1', port: site.port, method, path: url, headers: requestHeaders }, (response) => {
      const responseHeaders = { ...response.headers }
      const securityPolicy = responseHeaders['content-security-policy']
      if (securityPolicy !== undefined)
        responseHeaders['content-security-policy'] = `${securityPolicy}; report-uri ${VIOLATION_REPORT_PATH}`
      if (insertedCode.length > 0) delete responseHeaders['content-length']
      proxiedResponse.writeHead(response.statusCode ?? 502, responseHeaders)
      response.pipe(proxiedResponse, { end: false })
      response.on('end', () => proxiedResponse.end(insertedCode.join('')))
    })
    siteRequest.on('error', () => proxiedResponse.destroy())
    proxiedRequest.pipe(siteRequest)
  }
  const proxyServer = isSecure
    ? createTlsServer(await createCertificate(['localhost', '*.localhost']), proxyRequest)
    : createServer(proxyRequest)
  proxyServer.listen(port, '127.0.0.1')
  await once(proxyServer, 'listening')
  return {
    ...site,
    violations: violationTexts,
    origin: (subdomain) => createHostOrigin(subdomain === undefined ? 'localhost' : `${subdomain}.localhost`),
    plantScriptCode: (path, code) => plantedScripts.push({ path, code }),
    async restart(build) {
      await site.stop()
      site = await startSite({ ...settings, PORT: String(site.port) }, build)
    },
    async stop() {
      const exitCode = await site.stop()
      proxyServer.close()
      proxyServer.closeAllConnections()
      return exitCode
    },
  }
}
