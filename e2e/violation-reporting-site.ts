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
  plant(path: RegExp, code: string): void
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
  const originOf = (host: string) => `http${isSecure ? 's' : ''}://${host}:${port}`
  const settings = { ...env, PUBLIC_ORIGIN: originOf('localhost') }
  let site = await startSite(settings)
  const violations: string[] = []
  const plantedScripts: { path: RegExp; code: string }[] = []
  const answer = (proxiedRequest: IncomingMessage, proxiedResponse: ServerResponse) => {
    const { method, url = '/', headers } = proxiedRequest
    if (url === VIOLATION_REPORT_PATH) {
      const chunks: Buffer[] = []
      proxiedRequest.on('data', (chunk: Buffer) => chunks.push(chunk))
      proxiedRequest.on('end', () => {
        const { 'csp-report': report } = JSON.parse(Buffer.concat(chunks).toString())
        violations.push(
          `${report['effective-directive']} blocks ${report['blocked-uri']} ${report['script-sample'] ?? ''} of ${report['source-file']} in ${report['document-uri']}`,
        )
        proxiedResponse.writeHead(204).end()
      })
      return
    }
    const insertedCode = plantedScripts.filter(({ path }) => path.test(url)).map(({ code }) => `\n${code}\n`)
    const requestHeaders = insertedCode.length > 0 ? { ...headers, 'accept-encoding': 'identity' } : headers
    const siteRequest = request({ host: '127.0.0.1', port: site.port, method, path: url, headers: requestHeaders }, (response) => {
      const responseHeaders = { ...response.headers }
      const policy = responseHeaders['content-security-policy']
      if (policy !== undefined) responseHeaders['content-security-policy'] = `${policy}; report-uri ${VIOLATION_REPORT_PATH}`
      if (insertedCode.length > 0) delete responseHeaders['content-length']
      proxiedResponse.writeHead(response.statusCode ?? 502, responseHeaders)
      response.pipe(proxiedResponse, { end: false })
      response.on('end', () => proxiedResponse.end(insertedCode.join('')))
    })
    siteRequest.on('error', () => proxiedResponse.destroy())
    proxiedRequest.pipe(siteRequest)
  }
  const proxy = isSecure ? createTlsServer(await createCertificate(['localhost', '*.localhost']), answer) : createServer(answer)
  proxy.listen(port, '127.0.0.1')
  await once(proxy, 'listening')
  return {
    ...site,
    violations,
    origin: (subdomain) => originOf(subdomain === undefined ? 'localhost' : `${subdomain}.localhost`),
    plant: (path, code) => plantedScripts.push({ path, code }),
    async restart(build) {
      await site.stop()
      site = await startSite({ ...settings, PORT: String(site.port) }, build)
    },
    async stop() {
      const exitCode = await site.stop()
      proxy.close()
      proxy.closeAllConnections()
      return exitCode
    },
  }
}
