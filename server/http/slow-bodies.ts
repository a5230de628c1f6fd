import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { TOO_SLOW_CODE } from './errors.ts'
import { hasBody } from './unread-bodies.ts'

interface SlowBodiesOptions {
  checkMs?: number
  /** The number of bytes of a large body that must arrive between two checks. */
  minBytes?: number
  /** The maximum time in milliseconds that a body that is not large may take. */
  maxMs?: number
  /** The size in bytes above which a body is large. A large body may take longer than `maxMs`, as long as it keeps arriving. */
  largeBytes?: number
}

/** The time after which Node ends any request. A file of 10 MB takes 21 minutes at the slowest pace that `endSlowBodies` allows. */
export const REQUEST_MAX_MS = 30 * 60_000

/**
 * Ends requests whose bodies arrive too slowly, without a further response if they were answered already. Node's own time limit of
 * requests covers a whole body, so that it would end uploads over slow lines, too.
 */
export function endSlowBodies(
  server: Server,
  { checkMs = 15_000, minBytes = 120_000, maxMs = 60_000, largeBytes = 262_144 }: SlowBodiesOptions = {},
): void {
  const stateByRequest = new Map<
    IncomingMessage,
    { response: ServerResponse; startedMs: number; bytesReadAtLastCheck: number | undefined }
  >()
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!hasBody(request)) return
    stateByRequest.set(request, { response, startedMs: performance.now(), bytesReadAtLastCheck: undefined })
    request.once('close', () => stateByRequest.delete(request))
  })
  const timer = setInterval(() => {
    for (const [request, bodyState] of stateByRequest) {
      const { socket, headers } = request
      const isLargeBody = Number(headers['content-length'] ?? 0) > largeBytes && !bodyState.response.headersSent
      const isBodyLate = !isLargeBody && performance.now() - bodyState.startedMs > maxMs
      const isBodySlow =
        isLargeBody && bodyState.bytesReadAtLastCheck !== undefined && socket.bytesRead - bodyState.bytesReadAtLastCheck < minBytes
      bodyState.bytesReadAtLastCheck = socket.bytesRead
      if (request.complete) stateByRequest.delete(request)
      else if (!isBodyLate && !isBodySlow) continue
      // A second response would be read as the one to the connection's next request.
      else if (bodyState.response.headersSent) socket.destroy()
      else
        server.emit('clientError', Object.assign(new Error('The body of a request arrives too slowly.'), { code: TOO_SLOW_CODE }), socket)
    }
  }, checkMs)
  timer.unref()
  server.once('close', () => clearInterval(timer))
}
