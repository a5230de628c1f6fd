import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { freePort, type Site, startSite } from './server.ts'

export interface ReportingSite extends Site {
  /** The violations of all pages, workers and service workers that their browsers reported: directive, blocked URL or sink, and source. */
  readonly violations: readonly string[]
  /** Appends code to each script that the site sends and whose path matches `path`, so that it runs as the site's own. */
  plant(path: RegExp, code: string): void
}

const REPORT_PATH = '/policy-reports'

/** Starts the built site behind a proxy that adds an address for reports to every content security policy. */
export async function startReportingSite(env: Record<string, string>): Promise<ReportingSite> {
  const port = await freePort()
  const site = await startSite({ ...env, PUBLIC_ORIGIN: `http://localhost:${port}` })
  const violations: string[] = []
  const plants: { path: RegExp; code: string }[] = []
  const proxy = createServer((incoming, outgoing) => {
    const { method, url = '/', headers } = incoming
    if (url === REPORT_PATH) {
      const chunks: Buffer[] = []
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
      incoming.on('end', () => {
        const { 'csp-report': report } = JSON.parse(Buffer.concat(chunks).toString())
        violations.push(
          `${report['effective-directive']} blocks ${report['blocked-uri']} ${report['script-sample'] ?? ''} of ${report['source-file']} in ${report['document-uri']}`,
        )
        outgoing.writeHead(204).end()
      })
      return
    }
    const plantedCode = plants.filter(({ path }) => path.test(url)).map(({ code }) => `\n${code}\n`)
    const requestHeaders = plantedCode.length > 0 ? { ...headers, 'accept-encoding': 'identity' } : headers
    const forwarded = request({ host: '127.0.0.1', port: site.port, method, path: url, headers: requestHeaders }, (response) => {
      const responseHeaders = { ...response.headers }
      const policy = responseHeaders['content-security-policy']
      if (policy !== undefined) responseHeaders['content-security-policy'] = `${policy}; report-uri ${REPORT_PATH}`
      if (plantedCode.length > 0) delete responseHeaders['content-length']
      outgoing.writeHead(response.statusCode ?? 502, responseHeaders)
      response.pipe(outgoing, { end: false })
      response.on('end', () => outgoing.end(plantedCode.join('')))
    })
    forwarded.on('error', () => outgoing.destroy())
    incoming.pipe(forwarded)
  }).listen(port, '127.0.0.1')
  await once(proxy, 'listening')
  return {
    ...site,
    violations,
    origin: (subdomain) => `http://${subdomain === undefined ? '' : `${subdomain}.`}localhost:${port}`,
    plant: (path, code) => plants.push({ path, code }),
    async stop() {
      proxy.close()
      proxy.closeAllConnections()
      return site.stop()
    },
  }
}
