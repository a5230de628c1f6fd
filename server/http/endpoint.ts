import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import { type Access, type Data, type Endpoint, type EndpointKey, endpoints, type Input } from '../../contract/endpoints.ts'
import { Envelope, ErrorEnvelope } from '../../contract/envelope.ts'
import { ApiError } from '../../contract/errors.ts'
import { type Authenticate, requireSubscriber, type User } from '../identity/user.ts'
import type { Log } from '../services/log.ts'
import './request.ts'
import { createAnswer, type ReadCache } from './read-cache.ts'
import type { SecurityHeaders } from './security.ts'
import { sendAnswer } from './send.ts'
import { tokenOf } from './token.ts'

/** The base of the API's paths on this server. */
export const API_PREFIX = '/api'

/** Gives a call's data; `reply` is for headers of its own. */
export type Handle<K extends EndpointKey> = (input: Input<K>, request: FastifyRequest, reply: FastifyReply) => Promise<Data<K>>

export interface EndpointOptions {
  /** The answer depends on the URL and the host only, and may be sent again until the catalogue or a setting changes. */
  cached?: boolean
  /** How many valid requests an address may make in an hour. */
  perHour?: number
  /** The largest body, where it is not the server's own limit. */
  bodyMaxBytes?: number
}

const BODY_TYPES = ['application/x-www-form-urlencoded', 'multipart/form-data', 'application/json']

function schemaOf(definition: Endpoint) {
  return {
    summary: definition.summary,
    tags: [definition.tag],
    ...(definition.query === undefined ? {} : { querystring: definition.query }),
    ...(definition.body === undefined ? {} : { body: definition.body, consumes: BODY_TYPES }),
    ...(definition.access === 'public' ? {} : { security: [{ bearer: [] }, { parameter: [] }] }),
    response: { 200: Envelope(definition.data), '4xx': ErrorEnvelope, '5xx': ErrorEnvelope },
  }
}

/** Multipart bodies as the same fields that a form would hold; repeated ones become a list, as in the other formats. */
async function readMultipart(request: FastifyRequest): Promise<Record<string, unknown>> {
  const fields: Record<string, unknown> = Object.create(null)
  try {
    for await (const part of request.parts()) {
      if (part.type === 'file') throw new ApiError('bad-input', `${part.fieldname} must not be a file`)
      const before = fields[part.fieldname]
      fields[part.fieldname] = before === undefined ? part.value : [before, part.value].flat()
    }
    return fields
  } catch (error) {
    // The parser's own complaints about a body come as plain errors, without a status.
    if (error instanceof ApiError || (error instanceof Error && 'statusCode' in error)) throw error
    throw new ApiError('bad-input', 'The multipart body could not be read.')
  }
}

interface EndpointDeps {
  cache: ReadCache
  revision: () => number
  headers: SecurityHeaders
  log: Log
  authenticate: Authenticate
}

const noUser = () => new ApiError('unauthenticated', 'Please log in.')

/** Who calls. @throws ApiError 401, or 503 where the token could not be checked */
export function requireUser(request: FastifyRequest): User {
  if (request.user === undefined) throw request.userFailure ?? noUser()
  return request.user
}

/**
 * Finds out who calls, as far as the call wants to know. Where a user is welcome but not needed, a token that counts for nothing
 * is kept as a failure, which `requireUser` throws.
 */
async function identify(request: FastifyRequest, access: Access, authenticate: Authenticate): Promise<void> {
  request.token = tokenOf(request)
  if (access === 'public') return
  if (request.token !== undefined) {
    try {
      request.user = await authenticate(request.token)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      request.userFailure = error
    }
  }
  if (access === 'optional') return
  const user = requireUser(request)
  if (access === 'subscriber') requireSubscriber(user)
}

/** An answer that takes longer than this is worth a line in the log. */
const SLOW_MS = 1000

/** Registers calls of the endpoint table, which gives them their method, path, checks and documentation. */
export function createEndpoints(app: FastifyInstance, deps: EndpointDeps) {
  const jsonHeaders = { ...deps.headers.data, 'content-type': 'application/json; charset=utf-8' }
  const readHeaders = { ...jsonHeaders, 'cache-control': 'no-cache' }
  const otherHeaders = { ...jsonHeaders, 'cache-control': 'no-store' }

  return function endpoint<K extends EndpointKey>(key: K, options: EndpointOptions, handle: Handle<K>): void {
    const definition: Endpoint = endpoints[key]
    const [method, path] = key.split(' ')
    if (method === undefined || path === undefined) throw new TypeError(`${key} is not a method and a path`)
    app.route({
      method: method satisfies HTTPMethods,
      url: `${API_PREFIX}${path}`,
      schema: schemaOf(definition),
      ...(options.bodyMaxBytes === undefined ? {} : { bodyLimit: options.bodyMaxBytes }),
      config: options.perHour === undefined ? {} : { rateLimit: { max: options.perHour, timeWindow: 3_600_000, hook: 'preHandler' } },
      preValidation: async (request) => {
        if (request.isMultipart()) request.body = await readMultipart(request)
        await identify(request, definition.access, deps.authenticate)
      },
      handler: async (request, reply) => {
        // The checks of the route's schema, which is the table's, have run: this is the table's input type.
        const input = (definition.body === undefined ? request.query : request.body) as Input<K>
        const readAt = deps.revision()
        const startedMs = performance.now()
        const data = await handle(input, request, reply)
        const ms = Math.round(performance.now() - startedMs)
        if (ms > SLOW_MS) deps.log.warn({ req: request, ms }, 'slow request')
        const body = JSON.stringify({ code: 200, message: 'OK', data })
        if (options.cached !== true || request.token !== undefined) return reply.headers(otherHeaders).send(body)
        const answer = createAnswer(200, body, readHeaders)
        deps.cache.set(request.site.key, request.raw.url ?? '', readAt, answer)
        return sendAnswer(request, reply, answer)
      },
    })
  }
}
export type RegisterEndpoint = ReturnType<typeof createEndpoints>
