import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Closes the connections whose clients have read nothing of a response for `stalledMs` milliseconds, and up to half as long again. Node's own limit of a
 * server, `timeout`, would start a timer for each request; here only the connections that are found writing get one, until their response ends.
 */
export function endStalledResponses(server: Server, stalledMs = 120_000): void {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  const timer = setInterval(() => {
    for (const socket of sockets) if (socket.writableLength > 0 && !socket.timeout) socket.setTimeout(stalledMs)
  }, stalledMs / 2)
  timer.unref()
  server.once('close', () => clearInterval(timer))
}
