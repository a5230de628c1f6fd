import type { IncomingMessage } from 'node:http'
import type { FastifyReply } from 'fastify'

export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/**
 * Reads and drops what is left of the body of a request that is being refused. If the connection closed with the answer, a client that
 * is still sending would not receive the answer, and bytes that nobody reads would hold up the connection's next request.
 * `endSlowBodies` limits how long this may take.
 */
export function dropRestOfBody(request: IncomingMessage, reply: FastifyReply): void {
  if (!hasBody(request) || request.readableEnded || request.destroyed) return
  const response = reply.raw
  const closesConnection = !response.shouldKeepAlive
  // Fastify asks to close the connection if it has not read the whole body.
  reply.removeHeader('connection')
  response.shouldKeepAlive = true
  request.unpipe()
  request.resume()
  if (!closesConnection) return
  const closeWhenDone = () => {
    if (request.readableEnded && response.writableEnded) request.socket.end()
  }
  request.once('end', closeWhenDone)
  response.once('finish', closeWhenDone)
}
