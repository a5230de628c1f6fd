import { once } from 'node:events'
import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { Socket } from 'node:net'
import { createCertificate } from './certificate.ts'
import { answerVideoRequest, VIDEO_HOSTS } from './video-platform.ts'

/** A proxy on the loopback interface that simulates YouTube, for browsers whose requests Playwright cannot route. */
export interface VideoProxy {
  readonly port: number
  /** The hosts, except YouTube's, that the browser tried to reach. Connections to them are refused. */
  readonly refusedHosts: readonly string[]
  stop(): Promise<void>
}

/** Starts the proxy. Its certificate is self-signed, so the browser must accept insecure certificates. */
export async function startVideoProxy(): Promise<VideoProxy> {
  const videoServer = createTlsServer(await createCertificate([...VIDEO_HOSTS]), (request, response) => {
    const { status, contentType, body } = answerVideoRequest(new URL(request.url ?? '/', 'https://video'), request.headers.referer)
    response.writeHead(status, { 'content-type': contentType }).end(body)
  })
  const refusedHosts: string[] = []
  const proxyServer = createServer((request, response) => {
    refusedHosts.push(request.url ?? '')
    response.writeHead(403).end()
  })
  proxyServer.on('connect', (request, socket) => {
    const hostName = request.url?.split(':')[0] ?? ''
    socket.on('error', () => socket.destroy())
    if (VIDEO_HOSTS.has(hostName)) {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n')
      videoServer.emit('connection', socket)
    } else {
      refusedHosts.push(hostName)
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
    }
  })
  const openSockets = new Set<Socket>()
  proxyServer.on('connection', (socket) => openSockets.add(socket.once('close', () => openSockets.delete(socket))))
  proxyServer.listen(0, '127.0.0.1')
  await once(proxyServer, 'listening')
  const proxyAddress = proxyServer.address()
  if (proxyAddress === null || typeof proxyAddress === 'string') throw new Error('The proxy has no port')
  return {
    port: proxyAddress.port,
    refusedHosts,
    async stop() {
      proxyServer.close()
      for (const socket of openSockets) socket.destroy()
      await once(proxyServer, 'close')
    },
  }
}
