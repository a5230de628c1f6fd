import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Closes connections whose clients have read nothing of a response for `stalledMs` to 1.5 x `stalledMs` milliseconds. Node's own
 * `server.timeout` would start a timer for each request. Instead, a periodic check starts a timer only for connections that have data left
 * to send.
 */
export function endStalledResponses(server: Server, stalledMs = 120_000): void {
  const watchedSockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    watchedSockets.add(socket)
    socket.once('close', () => watchedSockets.delete(socket))
  })
  const timer = setInterval(() => {
    for (const socket of watchedSockets) if (socket.writableLength > 0 && !socket.timeout) socket.setTimeout(stalledMs)
  }, stalledMs / 2)
  timer.unref()
  server.once('close', () => clearInterval(timer))
}
