import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { MultipartFile } from '@fastify/multipart'
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import { type Data, type Endpoint, type EndpointKey, endpoints, type Input } from '../../contract/endpoints.ts'
import { Envelope, ErrorEnvelope } from '../../contract/envelope.ts'
import { ApiError } from '../../contract/errors.ts'
import type { Upload } from '../services/conversions.ts'
import type { Log } from '../services/log.ts'
import { LiveAnswer, type LiveCache, type LiveMembers } from './live-data.ts'
import { LongList, streamLongList } from './long-list.ts'
import { createCachedResponse, type ReadCache } from './read-cache.ts'
import { cacheKeyOf } from './request.ts'
import type { SecurityHeaders } from './security.ts'
import { type LogSecurityEvent, loggedCalls } from './security-log.ts'
import { sendCachedResponse } from './send.ts'
import { type Authenticate, authenticateRequest } from './user.ts'

/** The base path of the API on this server. */
export const API_PREFIX = '/api'

/** Returns the `data` of a successful response. `reply` is for additional headers only. */
export type EndpointHandler<K extends EndpointKey> = (
  input: Input<K>,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<Data<K> | LongList<Data<K>> | (Data<K> extends { server_time: string } ? LiveAnswer<Data<K>> : never)>

export interface EndpointOptions {
  /** Whether the response depends on URL and host only, and is cached until the catalogue or a setting changes. */
  isCached?: boolean
  /** The number of valid requests that one IP address may make per hour. */
  maxRequestsPerHour?: number
  /** Stores a file of a multipart body as `request.upload`. It is deleted after the response, unless it was moved. */
  upload?: { dir: string; maxBytes: number }
  /** The maximum size of the request body, if it differs from the server's default. */
  bodyMaxBytes?: number
}

const BODY_TYPES = ['application/x-www-form-urlencoded', 'multipart/form-data', 'application/json']

function openApiSchemaOf(definition: Endpoint) {
  return {
    summary: definition.summary,
    tags: [definition.tag],
    ...(definition.query === undefined ? {} : { querystring: definition.query }),
    ...(definition.body === undefined ? {} : { body: definition.body, consumes: BODY_TYPES }),
    ...(definition.access === 'public' ? {} : { security: [{ bearer: [] }, { parameter: [] }] }),
    response: { 200: Envelope(definition.data), '4xx': ErrorEnvelope, '5xx': ErrorEnvelope },
  }
}

/** Writes an uploaded file to a new file in `dir`. @throws ApiError 413 if it is too large */
async function storeUpload({ file, filename }: MultipartFile, dir: string): Promise<Upload> {
  const path = join(dir, `${randomUUID()}.upload`)
  let bytes = 0
  file.on('data', (chunk: Buffer) => {
    bytes += chunk.length
  })
  try {
    await pipeline(file, createWriteStream(path, { mode: 0o600, flags: 'wx' }))
    if (file.truncated) throw new ApiError('too-large', 'The file is larger than 10 MB.')
  } catch (error) {
    await rm(path, { force: true })
    throw file.truncated ? new ApiError('too-large', 'The file is larger than 10 MB.') : error
  }
  return { path, name: filename, bytes }
}

/** Reads a multipart body into the fields of a form. A repeated field becomes an array, as in the other formats. */
async function readMultipart(request: FastifyRequest, upload: EndpointOptions['upload']): Promise<Record<string, unknown>> {
  const fields: Record<string, unknown> = Object.create(null)
  try {
    for await (const part of request.parts(upload && { limits: { fileSize: upload.maxBytes } })) {
      if (part.type === 'file') {
        if (upload === undefined || part.fieldname !== 'file' || request.upload !== undefined)
          throw new ApiError('bad-input', `${part.fieldname} must not be a file`)
        request.upload = await storeUpload(part, upload.dir)
        continue
      }
      const earlierValue = fields[part.fieldname]
      fields[part.fieldname] = earlierValue === undefined ? part.value : [earlierValue, part.value].flat()
    }
    return fields
  } catch (error) {
    // A malformed body is answered with 400, because the parser reports it as a plain error without a status code.
    if (error instanceof ApiError || (error instanceof Error && 'statusCode' in error)) throw error
    throw new ApiError('bad-input', 'The multipart body could not be read.')
  }
}

interface EndpointDeps {
  cache: ReadCache
  liveCache: LiveCache
  readRevision: () => number
  headers: SecurityHeaders
  log: Log
  logSecurityEvent: LogSecurityEvent
  authenticate: Authenticate
}

/** The duration in milliseconds above which a request's handler is logged as slow. */
const SLOW_HANDLER_MS = 1000

/** Returns a function that registers an endpoint of the table: its method, path, authentication, input validation and documentation. */
export function createEndpoints(app: FastifyInstance, deps: EndpointDeps) {
  const jsonHeaders = { ...deps.headers.data, 'content-type': 'application/json; charset=utf-8' }
  const cachedHeaders = { ...jsonHeaders, 'cache-control': 'no-cache' }
  const uncachedHeaders = { ...jsonHeaders, 'cache-control': 'no-store' }

  const liveResponseOf = ({ live, members }: LiveAnswer<LiveMembers>) => live.responseWith(members, cachedHeaders)

  return function endpoint<K extends EndpointKey>(key: K, options: EndpointOptions, handle: EndpointHandler<K>): void {
    const definition: Endpoint = endpoints[key]
    const [method, path] = key.split(' ')
    if (method === undefined || path === undefined) throw new TypeError(`${key} is not a method and a path`)
    app.route({
      method: method satisfies HTTPMethods,
      url: `${API_PREFIX}${path}`,
      schema: openApiSchemaOf(definition),
      ...(options.bodyMaxBytes === undefined ? {} : { bodyLimit: options.bodyMaxBytes }),
      config:
        options.maxRequestsPerHour === undefined
          ? {}
          : { rateLimit: { max: options.maxRequestsPerHour, timeWindow: 3_600_000, hook: 'preHandler' } },
      preValidation: async (request) => {
        // A caller whose token is in a header is known before the body is read, so that nobody else uploads files.
        const isKnownEarly = request.headers.authorization !== undefined
        if (isKnownEarly) await authenticateRequest(request, definition.access, deps.authenticate)
        if (request.isMultipart()) request.body = await readMultipart(request, options.upload)
        if (!isKnownEarly) await authenticateRequest(request, definition.access, deps.authenticate)
      },
      ...(options.upload && {
        onResponse: async (request: FastifyRequest) => {
          if (request.upload) await rm(request.upload.path, { force: true })
        },
      }),
      handler: async (request, reply) => {
        // The cast is safe, because Fastify has validated the input against the endpoint's schema before it calls the handler.
        const input = (definition.body === undefined ? request.query : request.body) as Input<K>
        const revisionBefore = deps.readRevision()
        const startedMs = performance.now()
        const result = await handle(input, request, reply)
        const ms = Math.round(performance.now() - startedMs)
        if (ms > SLOW_HANDLER_MS) deps.log.warn({ req: request, ms }, 'slow request')
        if (loggedCalls.has(key)) deps.logSecurityEvent(request, { event: key, outcome: 'done', uid: request.user?.uid })
        if (result instanceof LiveAnswer) {
          if (method === 'GET' && request.token === undefined) {
            deps.liveCache.set(cacheKeyOf(request), () => {
              const repeated = result.repeat()
              return repeated && liveResponseOf(repeated)
            })
          }
          return sendCachedResponse(request, reply, liveResponseOf(result))
        }
        const data = result instanceof LongList ? result.firstPage : result
        const body = JSON.stringify({ code: reply.statusCode, message: 'OK', data })
        if (result instanceof LongList)
          return reply.headers(uncachedHeaders).send(streamLongList(body, result.readRows, () => deps.readRevision() === revisionBefore))
        if (options.isCached !== true || request.token !== undefined) return reply.headers(uncachedHeaders).send(body)
        const response = createCachedResponse(200, body, cachedHeaders)
        deps.cache.set(cacheKeyOf(request), revisionBefore, response)
        return sendCachedResponse(request, reply, response)
      },
    })
  }
}
export type RegisterEndpoint = ReturnType<typeof createEndpoints>
