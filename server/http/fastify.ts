import type { IncomingMessage } from 'node:http'
import formbody from '@fastify/formbody'
import multipart from '@fastify/multipart'
import rateLimit from '@fastify/rate-limit'
import fastifyStatic from '@fastify/static'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import { ApiError } from '../../contract/errors.ts'
import { registerOpenApi } from './api-docs.ts'
import { IPV6_PREFIX_BITS } from './client-id.ts'
import { createMalformedRequestHandler, isPageRequest, sendEnvelope, toErrorEnvelope } from './errors.ts'
import type { HostSite } from './hosts.ts'
import { createInputParser } from './input.ts'
import type { SecurityHeaders } from './security.ts'
import { endSlowBodies, REQUEST_MAX_MS } from './slow-bodies.ts'
import { endStalledResponses } from './stalled-responses.ts'

const BODY_MAX_BYTES = 262_144
const MULTIPART_LIMITS = { fieldNameSize: 100, fieldSize: 65_536, fields: 50, files: 1, fileSize: BODY_MAX_BYTES, parts: 50 }

interface FastifyDeps {
  /** The addresses of the proxies in front of the server. */
  trustProxy: readonly string[]
  headers: SecurityHeaders
  findSite: (request: FastifyRequest) => HostSite
  sendPage: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>
}

/**
 * Changes a request target in absolute form (`http://host/path`) to origin form (`/path`). Some proxies and health checks send the absolute
 * form, and a server has to accept it (RFC 9112, 3.2.2). Fastify's own option for this would slow every request.
 */
function convertToOriginForm(request: IncomingMessage): void {
  if (request.url?.startsWith('/') === false) request.url = request.url.replace(/^https?:\/\/[^/?#]*\/?/i, '/')
}

/** Creates the Fastify instance, without plugins, hooks and routes. */
export function createFastify({ trustProxy, headers, findSite, sendPage }: FastifyDeps): FastifyInstance {
  // Fastify's own logger is disabled, because it would create a child logger per request. The error handler logs failures instead.
  const app = fastify({
    logger: false,
    bodyLimit: BODY_MAX_BYTES,
    requestTimeout: REQUEST_MAX_MS,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    trustProxy: trustProxy.length > 0 ? [...trustProxy] : false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 300 },
    // Node itself would refuse requests with no `Host` header or with several, but without sending the security headers. The first hook
    // refuses these requests instead.
    http: { requireHostHeader: false, joinDuplicateHeaders: true },
    clientErrorHandler: createMalformedRequestHandler(headers.every),
    // Fastify reports malformed URLs before any hook runs.
    frameworkErrors(error, request, reply) {
      reply.headers(headers.every)
      if (!isPageRequest(request)) return sendEnvelope(reply, toErrorEnvelope(error))
      request.site = findSite(request)
      void sendPage(request, reply).catch((failure: unknown) => sendEnvelope(reply, toErrorEnvelope(failure)))
    },
  })
  // The schemas of responses are for documentation and tests. Compiling serializers for them would slow the start.
  app.setSerializerCompiler(() => JSON.stringify)
  app.setValidatorCompiler<TSchema>(({ schema }) => createInputParser(schema))
  app.removeContentTypeParser('text/plain')
  app.decorateRequest('token', undefined)
  app.decorateRequest('user', undefined)
  app.decorateRequest('userFailure', undefined)
  app.decorateRequest('upload', undefined)
  // The cast is safe, because the first `onRequest` hook sets `request.site` before any code reads it.
  app.decorateRequest<unknown>('site', null)
  // Routes requests with an `Expect` header other than `100-continue` as usual, because Node would answer them itself, without the security
  // headers.
  app.server.on('checkExpectation', app.routing)
  for (const event of ['request', 'checkExpectation']) app.server.prependListener(event, convertToOriginForm)
  endStalledResponses(app.server)
  endSlowBodies(app.server)
  return app
}

/**
 * Registers the plugins of the API: its documentation, form and multipart bodies, and request limits. Multipart bodies are accepted by the routes of
 * `multipartInstance` only, because the hooks of the multipart plugin add to the time of every request that meets them.
 */
export async function registerPlugins(app: FastifyInstance): Promise<{ multipartInstance: FastifyInstance }> {
  await registerOpenApi(app)
  await app.register(formbody, { bodyLimit: BODY_MAX_BYTES })
  await app.register(rateLimit, {
    global: false,
    ipv6Subnet: IPV6_PREFIX_BITS,
    errorResponseBuilder: (_request, rateLimitState) =>
      new ApiError('too-many', `Too many requests. Please try again in ${rateLimitState.after}.`),
  })
  let multipartInstance = app
  await app.register(async (instance) => {
    // The names of uploaded files may contain slashes and backslashes, because no path is built from a name.
    await instance.register(multipart, { limits: MULTIPART_LIMITS, preservePath: true })
    multipartInstance = instance
  })
  return { multipartInstance }
}

/** The template of the pages, which only the page routes send, and the manifest of the build. */
const UNSERVED_FILES_PATTERN = /^(?:index\.html|\.vite)/i

/**
 * Serves the files of the folder `clientDir`. The plugin's own route would list the folder of the file at every request, to compare the spelling
 * of its name, which takes milliseconds of processor time in a folder of thousands of files. The
 * spelling matters to `UNSERVED_FILES_PATTERN` alone, which ignores case.
 */
export async function registerStaticFiles(app: FastifyInstance, clientDir: string, headers: SecurityHeaders): Promise<void> {
  await app.register(fastifyStatic, {
    root: clientDir,
    serve: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, filePath) => {
      // A `.pack` file contains several scripts. The service worker caches each of them with the headers of the `.pack` file.
      if (/\.(?:js|pack)(?:\.br|\.gz)?$/.test(filePath)) reply.headers(headers.script)
      reply.header('cache-control', filePath.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
  app.route<{ Params: { '*': string } }>({
    method: ['GET', 'HEAD'],
    url: '/*',
    schema: { hide: true },
    handler(request, reply) {
      const urlPath = request.params['*']
      const canBeFile = urlPath !== '' && !urlPath.endsWith('/') && !urlPath.includes('\0')
      if (!canBeFile || UNSERVED_FILES_PATTERN.test(urlPath)) return reply.callNotFound()
      return reply.sendFile(urlPath)
    },
    errorHandler(error, request, reply) {
      // The visitor has gone, or the file has changed while it was sent. The answer has begun, so only its connection can end.
      if ('code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE') request.raw.destroy()
      else app.errorHandler(error, request, reply)
    },
  })
}
