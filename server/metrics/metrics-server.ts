import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Log } from '../log.ts'
import type { Metrics } from './metrics.ts'

export const METRICS_PATH = '/metrics'

/** The metrics cannot be served at their address; `cause` is the error of the system. */
export class MetricsAddressError extends Error {
  override name = 'MetricsAddressError'
}

/**
 * Serves the metrics at an address of their own, so that they are never reachable through the site's address.
 * @throws MetricsAddressError from the returned promise, for instance if the address is in use
 */
export async function startMetricsServer(metrics: Metrics, { host, port }: { host: string; port: number }, log: Log) {
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== METRICS_PATH) return void response.writeHead(404).end()
    metrics.read().then(
      (text) => response.writeHead(200, { 'content-type': metrics.contentType }).end(text),
      (err: unknown) => {
        log.error({ err }, 'the metrics could not be read')
        response.writeHead(500).end()
      },
    )
  })
  server.listen({ host, port })
  await once(server, 'listening').catch((cause: unknown) => {
    throw new MetricsAddressError(`The metrics cannot be served at ${host}:${port}`, { cause })
  })
  server.on('error', (err) => log.error({ err }, 'a connection to the metrics could not be accepted'))
  const serverAddress = server.address()
  return {
    port: typeof serverAddress === 'object' && serverAddress !== null ? serverAddress.port : port,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
