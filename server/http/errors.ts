import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ErrorEnvelope } from '../../contract/envelope.ts'
import { ApiError } from '../../contract/errors.ts'
import type { Log } from '../services/log.ts'

export const envelope = (code: number, message: string): ErrorEnvelope => ({ code, message, data: null })

const UNAVAILABLE = envelope(503, 'The server is starting or stopping. Please try again in a moment.')
const INTERNAL = envelope(500, 'Something went wrong on our side.')

/** What the framework's own refusals say; their texts name internals. */
const refusals: Record<number, ErrorEnvelope> = {
  400: envelope(400, 'The request could not be read.'),
  // A file that may not be served is as good as none.
  403: envelope(404, 'There is nothing at this path.'),
  413: envelope(413, 'The request is too large.'),
  415: envelope(415, 'The content type must be a form, multipart or JSON.'),
  503: UNAVAILABLE,
}

function statusCodeOf(error: unknown): number {
  const status = typeof error === 'object' && error !== null && 'statusCode' in error ? error.statusCode : undefined
  return typeof status === 'number' && status >= 400 ? status : 500
}

/** An error as the envelope that people may see. Only an `ApiError` speaks for itself. */
export function envelopeOf(error: unknown): ErrorEnvelope {
  if (error instanceof ApiError) return envelope(error.code, error.code >= 500 ? INTERNAL.message : error.message)
  const status = statusCodeOf(error)
  return refusals[status] ?? (status < 500 ? envelope(400, 'The request could not be read.') : INTERNAL)
}

export function sendEnvelope(reply: FastifyReply, body: ErrorEnvelope): FastifyReply {
  return reply.code(body.code).header('cache-control', 'no-store').type('application/json; charset=utf-8').send(JSON.stringify(body))
}

/** Where the browser's sign-in SDK would read an answer of ours as its own, and sign people out for it. */
export const sendPlain = (reply: FastifyReply, code: number, text: string): FastifyReply =>
  reply.code(code).header('cache-control', 'no-store').type('text/plain; charset=utf-8').send(text)

/** Paths that the browser's sign-in SDK fixes. */
const isIdentityPath = (path: string) => /^\/(?:identitytoolkit|securetoken)\.googleapis\.com(?:[/?]|$)/.test(path)

export function sendUnavailable(path: string, reply: FastifyReply): FastifyReply {
  reply.header('retry-after', '1').header('connection', 'close')
  return isIdentityPath(path) ? sendPlain(reply, 503, UNAVAILABLE.message) : sendEnvelope(reply, UNAVAILABLE)
}

/** Paths that programs read: their errors are envelopes; elsewhere people get a page. */
export const isProgramPath = (path: string) => /^\/(?:api|img)(?:[/?]|$)/.test(path) || isIdentityPath(path)

const isPageRequest = ({ method, url }: FastifyRequest) => (method === 'GET' || method === 'HEAD') && !isProgramPath(url)

export function installErrors(
  app: FastifyInstance,
  log: Log,
  notFoundPage: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>,
) {
  app.setErrorHandler((error, request, reply) => {
    const body = envelopeOf(error)
    if (body.code >= 500) log.error({ req: request, err: error }, 'request failed')
    // A path that no file may have (`/a//b`, `/..`) was opened by a person all the same.
    if (body.code === 404 && isPageRequest(request)) return notFoundPage(request, reply)
    return sendEnvelope(reply, body)
  })
  app.setNotFoundHandler((request, reply) => {
    if (isPageRequest(request)) return notFoundPage(request, reply)
    return sendEnvelope(
      reply,
      envelope(404, isProgramPath(request.url) ? 'There is no such call.' : 'There is nothing at this path for this method.'),
    )
  })
}

/** Answers what is not HTTP, or whose headers are too large, before a request exists. */
export function refuseMalformed(_error: Error, socket: Socket): void {
  if (!socket.writable || socket.destroyed) return
  const body = JSON.stringify(refusals[400])
  socket.end(
    `HTTP/1.1 400 Bad Request\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}
