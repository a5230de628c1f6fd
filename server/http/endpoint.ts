import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import { IsObject } from 'typebox'
import {
  type Endpoint,
  type EndpointAccess,
  type EndpointData,
  type EndpointInput,
  type EndpointKey,
  Envelope,
  ErrorEnvelope,
  endpoints,
} from '../../contract/endpoints.ts'
import type { Log } from '../log.ts'
import { limitLargeResponseMemory } from './large-responses.ts'
import { LiveAnswer, type LiveCache, type LiveResponseMembers } from './live-data.ts'
import { LongList, readLongList } from './long-list.ts'
import { readMultipart } from './multipart.ts'
import { createCachedResponse, type ReadCache } from './read-cache.ts'
import { createCacheKey } from './request.ts'
import { type LogSecurityEvent, loggedEndpoints } from './security-log.ts'
import { sendCachedResponse } from './send.ts'
import type { UploadRules, UploadService } from './uploads.ts'
import { type Authenticate, authenticateRequest, readToken, requireUser, type User } from './user.ts'
import { createWriteLimits, isWritingEndpoint } from './write-limits.ts'

export const API_PREFIX = '/api'

/** Returns the `data` of a successful response. `reply` is for additional headers only. */
export type EndpointHandler<K extends EndpointKey> = (
  input: EndpointInput<K>,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<
  EndpointData<K> | LongList<EndpointData<K>> | (EndpointData<K> extends { server_time: string } ? LiveAnswer<EndpointData<K>> : never)
>

export interface EndpointOptions {
  /** Whether the response depends on URL and host only, and is cached until the catalogue or a setting changes. */
  isCached?: boolean
  /**
   * The maximum number of valid requests per IP address and hour, which replaces `writesPerHour`. If the endpoint has an `upload`, invalid requests
   * count too.
   */
  maxRequestsPerHour?: number
  /**
   * Makes the endpoint store the file of a multipart body as `request.upload` until the request ends. The endpoint's access level must be
   * `user` or `subscriber`.
   */
  upload?: UploadRules & {
    maxBytes: number
    /**
     * Checks whether a file may be stored. Called before the first byte of the file is stored. `fields` are the form fields that precede
     * the file.
     * @throws ApiError if the file is refused
     */
    admit(user: User, fields: Readonly<Record<string, unknown>>): Promise<void>
  }
  /** Whether a request to a writing endpoint only reads. Such requests do not count towards `writesPerHour`. */
  isReadOnlyRequest?: (request: FastifyRequest) => boolean
  /** The maximum size of the request body, if it differs from the server's default. */
  bodyMaxBytes?: number
}

const BODY_TYPES = ['application/x-www-form-urlencoded', 'multipart/form-data', 'application/json']

function createOpenApiSchema(definition: Endpoint) {
  return {
    summary: definition.summary,
    tags: [definition.tag],
    ...(definition.query === undefined ? {} : { querystring: definition.query }),
    ...(definition.body === undefined ? {} : { body: definition.body, consumes: BODY_TYPES }),
    ...(definition.access === 'public' ? {} : { security: [{ bearer: [] }, { parameter: [] }] }),
    response: { 200: Envelope(definition.data), '4xx': ErrorEnvelope, '5xx': ErrorEnvelope },
  }
}

interface EndpointDeps {
  /** The Fastify instance on which endpoints with a request body are registered. */
  multipartInstance: FastifyInstance
  cache: ReadCache
  liveCache: LiveCache
  readRevision: () => number
  log: Log
  logSecurityEvent: LogSecurityEvent
  authenticate: Authenticate
  uploads: UploadService
  /** The maximum number of calls of a writing endpoint per hour and account, or per hour and network for callers without an account. */
  writesPerHour: number
}

/** Returns the fields of a request without a file, from its query and its body. If both contain a field, the value in the body is used. */
function mergeQueryAndBody({ body, query }: FastifyRequest): unknown {
  if (body === undefined || body === null) return query
  return typeof body === 'object' && typeof query === 'object' && !Array.isArray(body) ? { ...query, ...body } : body
}

/**
 * Whether all parameters of a URL are in `parameterNames`. Responses to other URLs are not cached, because a client could otherwise fill the cache
 * with copies of one response.
 */
function hasOnlyKnownParameters(url: string | undefined, parameterNames: ReadonlySet<string>): boolean {
  if (url === undefined) return false
  const queryStart = url.indexOf('?') + 1
  return (
    queryStart === 0 ||
    url
      .slice(queryStart)
      .split('&')
      .every((parameter) => parameterNames.has(parameter.split('=', 1)[0] ?? ''))
  )
}

/** The duration in milliseconds above which a request's handler is logged as slow. */
const SLOW_HANDLER_MS = 1000

/**
 * Returns a function that registers an endpoint of contract/endpoints.ts: its method, path, authentication, input validation and
 * documentation.
 */
export function createRegisterEndpoint(app: FastifyInstance, deps: EndpointDeps) {
  const jsonHeaders = { 'content-type': 'application/json; charset=utf-8' }
  const cachedHeaders = { ...jsonHeaders, 'cache-control': 'no-cache' }
  const uncachedHeaders = { ...jsonHeaders, 'cache-control': 'no-store' }

  /** Reads a multipart body. A file is stored only if its sender may use the endpoint. A token in a form field must therefore precede the file. */
  async function readForm(
    request: FastifyRequest,
    reply: FastifyReply,
    access: EndpointAccess,
    { upload }: EndpointOptions,
  ): Promise<void> {
    const uploadAbortController = new AbortController()
    if (upload) reply.raw.once('close', () => uploadAbortController.abort())
    request.body = await readMultipart(request, {
      maxBytes: request.routeOptions.bodyLimit,
      fileMaxBytes: upload?.maxBytes ?? 0,
      receiveFile:
        upload &&
        (async ({ file, filename }, formFields) => {
          request.body = formFields
          if (request.user === undefined) await authenticateRequest(request, access, deps.authenticate)
          const user = requireUser(request)
          await upload.admit(user, formFields)
          const { maxPerAccount } = upload
          request.upload = await deps.uploads.receive(file, {
            uid: user.uid,
            name: filename,
            maxPerAccount,
            signal: uploadAbortController.signal,
          })
        }),
    })
  }

  const limitWrites = createWriteLimits(app, deps.writesPerHour)

  const createLiveResponse = ({ live, members }: LiveAnswer<LiveResponseMembers>) => live.createResponse(members, cachedHeaders)

  return function registerEndpoint<K extends EndpointKey>(
    endpointKey: K,
    options: EndpointOptions,
    handleEndpoint: EndpointHandler<K>,
  ): void {
    const definition: Endpoint = endpoints[endpointKey]
    const [httpMethod, urlPath] = endpointKey.split(' ')
    const parameterNames = new Set(IsObject(definition.query) ? Object.keys(definition.query.properties) : [])
    if (httpMethod === undefined || urlPath === undefined) throw new TypeError(`${endpointKey} is not a method and a path`)
    const takesBody = definition.body !== undefined
    const fastifyInstance = takesBody ? deps.multipartInstance : app
    const authenticateCaller = (request: FastifyRequest) => authenticateRequest(request, definition.access, deps.authenticate)

    async function authenticateWithBody(request: FastifyRequest, reply: FastifyReply): Promise<void> {
      // A multipart body has not been read yet, so only a token in the header or query is known.
      const hasTokenBeforeBody = readToken(request) !== undefined
      if (hasTokenBeforeBody) await authenticateCaller(request)
      if (request.isMultipart()) await readForm(request, reply, definition.access, options)
      if (!hasTokenBeforeBody) await authenticateCaller(request)
      if (options.upload === undefined) request.body = mergeQueryAndBody(request)
    }

    // A request that needs no account continues synchronously, because a promise takes a noticeable part of the time of a short request.
    function authenticateWithoutBody(request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void): void {
      const isForAnybody = definition.access === 'public' || definition.access === 'optional'
      if (isForAnybody && readToken(request) === undefined) done()
      else authenticateCaller(request).then(() => done(), done)
    }

    fastifyInstance.route({
      method: httpMethod satisfies HTTPMethods,
      url: `${API_PREFIX}${urlPath}`,
      schema: createOpenApiSchema(definition),
      ...(options.bodyMaxBytes === undefined ? {} : { bodyLimit: options.bodyMaxBytes }),
      config:
        options.maxRequestsPerHour === undefined
          ? {}
          : { rateLimit: { max: options.maxRequestsPerHour, timeWindow: 3_600_000, hook: options.upload ? 'onRequest' : 'preHandler' } },
      preValidation: takesBody ? authenticateWithBody : authenticateWithoutBody,
      ...(isWritingEndpoint(endpointKey) &&
        options.maxRequestsPerHour === undefined && {
          preHandler: async (request: FastifyRequest) => {
            if (options.isReadOnlyRequest?.(request) !== true) await limitWrites(request)
          },
        }),
      handler: async (request, reply) => {
        // The cast is safe, because Fastify has validated the input against the endpoint's schema before it calls the handler.
        const endpointInput = (takesBody ? request.body : request.query) as EndpointInput<K>
        const revisionBefore = deps.readRevision()
        const startedMs = performance.now()
        const handleRequest = () => handleEndpoint(endpointInput, request, reply)
        const handlerResult = await (request.upload?.useFor(handleRequest) ?? handleRequest())
        const handlerMs = Math.round(performance.now() - startedMs)
        if (handlerMs > SLOW_HANDLER_MS) deps.log.warn({ req: request, ms: handlerMs }, 'slow request')
        if (loggedEndpoints.has(endpointKey))
          deps.logSecurityEvent(request, { event: endpointKey, outcome: 'done', uid: request.user?.uid })
        if (handlerResult instanceof LiveAnswer) {
          if (httpMethod === 'GET' && request.token === undefined && hasOnlyKnownParameters(request.raw.url, parameterNames)) {
            deps.liveCache.set(createCacheKey(request), () => {
              const repeated = handlerResult.repeat()
              return repeated && createLiveResponse(repeated)
            })
          }
          return sendCachedResponse(request, reply, createLiveResponse(handlerResult))
        }
        const responseData = handlerResult instanceof LongList ? handlerResult.head : handlerResult
        const responseJson = JSON.stringify({ code: reply.statusCode, message: 'OK', data: responseData })
        const isUnchanged = () => deps.readRevision() === revisionBefore
        const responseBody =
          handlerResult instanceof LongList
            ? await readLongList(request, reply, responseJson, handlerResult.lists, isUnchanged)
            : responseJson
        if (typeof responseBody !== 'string') return reply.headers(uncachedHeaders).send(responseBody)
        if (options.isCached !== true || request.token !== undefined) {
          limitLargeResponseMemory(request, reply, reply, responseBody.length)
          return reply.headers(uncachedHeaders).send(responseBody)
        }
        const response = createCachedResponse(200, responseBody, cachedHeaders)
        if (hasOnlyKnownParameters(request.raw.url, parameterNames)) deps.cache.set(createCacheKey(request), revisionBefore, response)
        return sendCachedResponse(request, reply, response)
      },
    })
  }
}
export type RegisterEndpoint = ReturnType<typeof createRegisterEndpoint>
