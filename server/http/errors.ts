import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ErrorEnvelope } from '../../contract/endpoints.ts'
import { ApiError } from '../../contract/errors.ts'
import { isApiOrPicturePath } from '../../contract/paths.ts'
import { FileStoreError } from '../files/file-store.ts'
import type { Log } from '../log.ts'
import { StorageError, type StorageFault } from '../storage/errors.ts'
import type { CachedResponse } from './read-cache.ts'
import { isRefusalStatus, type LogSecurityEvent } from './security-log.ts'
import { sendCachedResponse } from './send.ts'
import { dropRestOfBody } from './unread-bodies.ts'

const createErrorEnvelope = (code: number, message: string): ErrorEnvelope => ({ code, message, data: null })

const UNAVAILABLE_ENVELOPE = createErrorEnvelope(503, 'The server is starting or stopping. Please try again in a moment.')
const DATABASE_GONE_ENVELOPE = createErrorEnvelope(503, 'The database cannot be reached. Please try again in a moment.')
const FILES_GONE_ENVELOPE = createErrorEnvelope(503, 'The files of this site cannot be reached. Please try again in a moment.')
const DATABASE_FULL_ENVELOPE = createErrorEnvelope(503, 'The server has no room to store this at present. Please try again later.')
const INTERNAL_ERROR_ENVELOPE = createErrorEnvelope(500, 'Something went wrong on our side.')

/**
 * The page that is sent instead of the requested one while the server is unavailable. The page loads no other files, and has no styles, because the
 * Content Security Policy of error responses does not allow any.
 */
const UNAVAILABLE_PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><title>Please try again in a moment</title></head>
<body><h1>Please try again in a moment</h1><p>The server cannot show this page right now. Reload the page to try again.</p></body></html>`

/** The error envelopes by HTTP status. They replace the error messages of Fastify, which disclose internals. */
const frameworkErrors: Record<number, ErrorEnvelope> = {
  400: createErrorEnvelope(400, 'The request could not be read.'),
  408: createErrorEnvelope(408, 'The request arrived too slowly. Please try again.'),
  // A forbidden file is reported as missing, so that its existence is not disclosed.
  403: createErrorEnvelope(404, 'There is nothing at this path.'),
  413: createErrorEnvelope(413, 'The request is too large.'),
  415: createErrorEnvelope(415, 'The content type must be a form, multipart or JSON.'),
  503: UNAVAILABLE_ENVELOPE,
}

function readStatusCode(error: unknown): number {
  const status = typeof error === 'object' && error !== null && 'statusCode' in error ? error.statusCode : undefined
  return typeof status === 'number' && status >= 400 ? status : 500
}

/**
 * Codes of the errors that mean that the database is temporarily unavailable: of failed connections, and of a PostgreSQL server that stops,
 * starts or has too many clients. https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const DATABASE_GONE_CODE = /^(?:ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|08[0-9A-Z]{3}|57P0[1-5]|53300)$/
/** Messages of the database driver's errors about lost connections. These errors have no code. */
const CONNECTION_LOST_MESSAGE = /^(?:Connection terminated|timeout exceeded when trying to connect)/

function isDatabaseGone(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return (
    ('code' in error && DATABASE_GONE_CODE.test(String(error.code))) ||
    CONNECTION_LOST_MESSAGE.test(error.message) ||
    isDatabaseGone(error.cause)
  )
}

/** The values of `Retry-After`, in seconds, while the database or the file store is unavailable. */
const DATABASE_RETRY_SECONDS = 5
const FILE_STORE_RETRY_SECONDS = 15

/** The error envelopes of database faults after which the same request can succeed later. */
const envelopeByPassingFault: Partial<Record<StorageFault, ErrorEnvelope>> = {
  unreachable: DATABASE_GONE_ENVELOPE,
  busy: DATABASE_GONE_ENVELOPE,
  full: DATABASE_FULL_ENVELOPE,
}

/** Returns the error envelope of an error that means that the database is unavailable for a while. */
function createDatabaseEnvelope(error: unknown): ErrorEnvelope | undefined {
  const envelope = error instanceof StorageError ? envelopeByPassingFault[error.fault] : undefined
  return envelope ?? (isDatabaseGone(error) ? DATABASE_GONE_ENVELOPE : undefined)
}

/** Whether a request can succeed later although it failed with an error, because the database is unavailable for a while. */
export const isDatabaseUnavailable = (error: unknown): boolean => createDatabaseEnvelope(error) !== undefined

/** Returns the seconds after which a client may repeat a request that failed with an error; undefined if waiting does not help. */
export function readRetryAfter(error: unknown): number | undefined {
  if (error instanceof ApiError) return error.retryAfterSeconds
  if (error instanceof FileStoreError) return FILE_STORE_RETRY_SECONDS
  return isDatabaseUnavailable(error) ? DATABASE_RETRY_SECONDS : undefined
}

/** Returns the error envelope of any error. Only the message of an `ApiError` is passed on, unless it is an internal one. */
export function toErrorEnvelope(error: unknown): ErrorEnvelope {
  if (error instanceof ApiError)
    return error.errorCause === 'internal' ? INTERNAL_ERROR_ENVELOPE : createErrorEnvelope(error.code, error.message)
  if (error instanceof FileStoreError) return FILES_GONE_ENVELOPE
  const status = readStatusCode(error)
  const databaseEnvelope = status === 500 ? createDatabaseEnvelope(error) : undefined
  if (databaseEnvelope !== undefined) return databaseEnvelope
  return frameworkErrors[status] ?? (status < 500 ? createErrorEnvelope(400, 'The request could not be read.') : INTERNAL_ERROR_ENVELOPE)
}

export function sendEnvelope(reply: FastifyReply, body: ErrorEnvelope): FastifyReply {
  return reply.code(body.code).header('cache-control', 'no-store').type('application/json; charset=utf-8').send(JSON.stringify(body))
}

/** Sends an error to the Firebase SDK as plain text: an error in the SDK's JSON format could sign the user out. */
export const sendPlainText = (reply: FastifyReply, code: number, text: string): FastifyReply =>
  reply.code(code).header('cache-control', 'no-store').type('text/plain; charset=utf-8').send(text)

/** Whether the path is one that the Firebase SDK calls. */
const isIdentityPath = (path: string) => /^\/(?:identitytoolkit|securetoken)\.googleapis\.com(?:[/?]|$)/.test(path)

export function sendUnavailable(reply: FastifyReply): FastifyReply {
  reply.header('retry-after', '1').header('connection', 'close')
  if (isIdentityPath(reply.request.url)) return sendPlainText(reply, 503, UNAVAILABLE_ENVELOPE.message)
  return sendEnvelopeOrPage(reply, UNAVAILABLE_ENVELOPE)
}

/**
 * Whether errors at the URL are sent as JSON envelopes or, for the Firebase SDK, as plain text. Errors at all other URLs are sent as HTML pages.
 */
const isApiOrIdentityUrl = (url: string) => isApiOrPicturePath(url.split('?', 1)[0] ?? '') || isIdentityPath(url)

/** Whether the request is for a page, so that a person may have opened its address. */
export const isPageRequest = ({ method, url }: FastifyRequest) => (method === 'GET' || method === 'HEAD') && !isApiOrIdentityUrl(url)

/** Sends an error. If the server is unavailable, a request for a page is answered with an HTML page. */
function sendEnvelopeOrPage(reply: FastifyReply, errorBody: ErrorEnvelope): FastifyReply {
  const { request } = reply
  if (errorBody.code !== 503 || !isPageRequest(request) || !request.headers.accept?.includes('text/html'))
    return sendEnvelope(reply, errorBody)
  return reply.code(503).header('cache-control', 'no-store').type('text/html; charset=utf-8').send(UNAVAILABLE_PAGE)
}

export function installErrorHandlers(
  app: FastifyInstance,
  log: Log,
  logSecurityEvent: LogSecurityEvent,
  headers: Record<string, string>,
  notFoundPage: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>,
  /** Returns the last response to the same request by anybody, however old. */
  lastResponseTo: (request: FastifyRequest) => CachedResponse | undefined,
) {
  app.setErrorHandler((error, request, reply) => {
    const errorBody = toErrorEnvelope(error)
    dropRestOfBody(request.raw, reply)
    // The security headers are set again, because the error may have occurred before the hook that sets them.
    reply.headers(headers)
    if (errorBody.code >= 500) log.error({ req: request, err: error }, 'request failed')
    if (errorBody === DATABASE_GONE_ENVELOPE && request.method === 'GET' && request.headers.authorization === undefined) {
      const lastResponse = lastResponseTo(request)
      if (lastResponse !== undefined) return sendCachedResponse(request, reply, lastResponse)
    }
    if (isRefusalStatus(errorBody.code))
      logSecurityEvent(request, { event: 'request', outcome: 'refused', reason: errorBody.message, uid: request.user?.uid })
    // A path that no file can have (`/a//b`, `/..`) is answered with an error page, because a person may have opened it.
    if (errorBody.code === 404 && isPageRequest(request)) return notFoundPage(request, reply)
    const retryAfter = readRetryAfter(error)
    if (retryAfter !== undefined) reply.header('retry-after', retryAfter)
    return sendEnvelopeOrPage(reply, errorBody)
  })
  app.setNotFoundHandler((request, reply) => {
    if (isPageRequest(request)) return notFoundPage(request, reply)
    return sendEnvelope(
      reply,
      createErrorEnvelope(
        404,
        isApiOrIdentityUrl(request.url) ? 'There is no such call.' : 'There is nothing at this path for this method.',
      ),
    )
  })
}

/** Whether a request has exactly one `Host` header, as RFC 9112, 3.2 requires. Node joins repeated headers with commas. */
export const hasSingleHostHeader = ({ headers: { host }, httpVersion }: IncomingMessage): boolean =>
  host === undefined ? httpVersion === '1.0' : !host.includes(',')

/**
 * The time in milliseconds for which a connection stays half open after a malformed request is answered, so that a client that is still sending can
 * read the response.
 */
const HALF_OPEN_MS = 2000

/** The code of Node's own error for a request whose headers arrive too slowly, and of the error that `endSlowBodies` emits. */
export const TOO_SLOW_CODE = 'ERR_HTTP_REQUEST_TIMEOUT'

/**
 * Creates the handler that responds to malformed HTTP, oversized headers, and requests that arrive too slowly. Fastify creates no request object
 * for these.
 */
export function createMalformedRequestHandler(headers: Record<string, string>): (error: Error & { code?: string }, socket: Socket) => void {
  function createResponse(statusLine: string, envelope: ErrorEnvelope | undefined): string {
    const bodyJson = JSON.stringify(envelope)
    const allHeaders = {
      ...headers,
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(bodyJson),
      connection: 'close',
    }
    const head = Object.entries(allHeaders).map(([name, value]) => `${name}: ${value}\r\n`)
    return `HTTP/1.1 ${statusLine}\r\n${head.join('')}\r\n${bodyJson}`
  }
  const malformedResponse = createResponse('400 Bad Request', frameworkErrors[400])
  const slowResponse = createResponse('408 Request Timeout', frameworkErrors[408])
  return ({ code }, socket) => {
    if (!socket.writable || socket.destroyed) return
    socket.end(code === TOO_SLOW_CODE ? slowResponse : malformedResponse)
    // The socket is destroyed after `HALF_OPEN_MS`, because otherwise a client that sends a byte now and then could keep the socket open
    // forever.
    const timer = setTimeout(() => socket.destroy(), HALF_OPEN_MS)
    socket.once('close', () => clearTimeout(timer))
  }
}
