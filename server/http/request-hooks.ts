import type { FastifyCorsOptionsDelegate } from '@fastify/cors'
import cors from '@fastify/cors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { HEALTH_PATH } from '../../contract/paths.ts'
import type { Log } from '../log.ts'
import { API_PREFIX } from './endpoint.ts'
import { hasSingleHostHeader, sendEnvelope, sendUnavailable, toErrorEnvelope } from './errors.ts'
import type { HostResolver, HostSite } from './hosts.ts'
import type { LiveCache } from './live-data.ts'
import type { ReadCache } from './read-cache.ts'
import { createCacheKey } from './request.ts'
import type { SecurityHeaders } from './security.ts'
import { sendCachedResponse } from './send.ts'
import type { SongRequestLog } from './song-requests.ts'

/**
 * State of the server process. While it is `starting` or `stopping`, requests are answered with 503. While it is `draining`, requests are answered as
 * usual on connections that are open already, each of which ends with its next response; `/healthz` answers 503.
 */
export interface ServerLifecycle {
  state: 'starting' | 'ready' | 'draining' | 'stopping'
  /** The number of requests that arrived while the process was not ready. */
  unreadyRequestCount: number
}

/**
 * CORS options that allow API calls from the site's own hosts only, for a site whose `API_BASE_URL` is on another origin. Credentials are not
 * allowed: callers are authenticated by the `Authorization` header, never by cookies.
 */
const allowOwnOrigins =
  (isOwnOrigin: (origin: string) => boolean): FastifyCorsOptionsDelegate =>
  (request, callback) =>
    callback(null, {
      origin: request.url.startsWith(`${API_PREFIX}/`) && isOwnOrigin(request.headers.origin ?? ''),
      methods: ['GET', 'HEAD', 'POST'],
      allowedHeaders: ['Authorization', 'Content-Type'],
      exposedHeaders: ['Retry-After', 'X-Server-Time', 'X-Listeners'],
      maxAge: 86_400,
    })

const isHealthPath = (url = '') => url.split('?', 1)[0] === HEALTH_PATH

interface RequestHooksDeps {
  /** The base URL of the API. If the API is on another host than the pages, pages of all the site's origins may call it. */
  apiBaseUrl: string
  hosts: HostResolver
  findSite: (request: FastifyRequest) => HostSite
  lifecycle: ServerLifecycle
  headers: SecurityHeaders
  readCache: ReadCache
  liveCache: LiveCache
  songRequests: SongRequestLog
  log: Log
}

/**
 * Adds the hooks that run for every request before its route. They set the request's site and the security headers, or answer the request
 * from memory.
 */
export async function addRequestHooks(app: FastifyInstance, deps: RequestHooksDeps): Promise<void> {
  const { apiBaseUrl, hosts, findSite, lifecycle, headers, readCache, liveCache, songRequests, log } = deps

  function isRequestRefused({ raw }: FastifyRequest, reply: FastifyReply): boolean {
    // A request whose connection is closed already is not answered. Reading the address of an open connection makes Node remember it, so that
    // `request.ip` is known even if the connection is closed later.
    if (raw.socket.remoteAddress === undefined) reply.hijack()
    else if (hasSingleHostHeader(raw)) return false
    else sendEnvelope(reply.headers(headers.every), toErrorEnvelope({ statusCode: 400 }))
    return true
  }

  // The CORS plugin is registered before the hook that sends cached responses, so that these also get its headers.
  if (!apiBaseUrl.startsWith('/')) {
    app.addHook('onRequest', (request, reply, done) => {
      if (isRequestRefused(request, reply)) return
      reply.headers(headers.every)
      done()
    })
    await app.register(cors, { delegator: allowOwnOrigins(hosts.isOwnOrigin) })
  }
  app.addHook('onRequest', (request, reply, done) => {
    if (isRequestRefused(request, reply)) return
    const { raw } = request
    request.site = findSite(request)
    reply.headers(headers.every)
    if (lifecycle.state !== 'ready') {
      lifecycle.unreadyRequestCount++
      // Node then sends `Connection: close`, and a proxy opens its next connection to another process.
      reply.raw.shouldKeepAlive = false
      if (lifecycle.state !== 'draining' || isHealthPath(raw.url)) {
        sendUnavailable(reply)
        return
      }
    }
    // Requests for songs are recorded in this hook, because requests that are answered from memory do not reach a route.
    if (raw.method === 'GET' && raw.url !== undefined) songRequests.note(request, raw.url)
    if (raw.method === 'GET' && raw.headers.authorization === undefined) {
      const cacheKey = createCacheKey(request)
      const response = readCache.get(cacheKey) ?? liveCache.get(cacheKey)
      if (response !== undefined) {
        sendCachedResponse(request, reply, response)
        return
      }
    }
    done()
  })
  if (log.isLevelEnabled('debug')) {
    app.addHook('onResponse', (request, reply, done) => {
      log.debug({ req: request, status: reply.statusCode, ms: Math.round(reply.elapsedTime) }, 'request')
      done()
    })
  }
}
