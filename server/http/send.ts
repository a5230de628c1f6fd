import type { FastifyReply, FastifyRequest } from 'fastify'
import { limitLargeResponseMemory } from './large-responses.ts'
import { type CachedResponse, compressInBackground } from './read-cache.ts'

const splitEtags = (header: string) => header.split(',').map((each) => each.trim().replace(/^W\//, ''))

/** Whether the client's copy is current (RFC 9110, 13.1.2: weak comparison). */
function isResponseFresh(ifNoneMatch: string | undefined, currentEtag: string): boolean {
  if (ifNoneMatch === undefined) return false
  return ifNoneMatch.trim() === '*' || splitEtags(ifNoneMatch).includes(currentEtag.replace(/^W\//, ''))
}

/** Whether the browser is built on WebKit. Chromium names WebKit in its user agent as well, but also itself. */
const isWebKit = (userAgent = '') => userAgent.includes('AppleWebKit/') && !/\bChrom(?:e|ium)\//.test(userAgent)

/** Sends a cached response: as 304 if the client's copy is current, gzipped if the client accepts it and the gzipped body exists. */
export function sendCachedResponse(request: FastifyRequest, reply: FastifyReply, response: CachedResponse): FastifyReply {
  const { headers } = request.raw
  const isCachedResponseCurrent = response.status === 200 && isResponseFresh(headers['if-none-match'], response.etag)
  const acceptsGzip = response.isCompressible && /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:,|$))/.test(String(headers['accept-encoding']))
  const gzippedBody = acceptsGzip ? response.gzippedBody : undefined
  const sentBody = isCachedResponseCurrent ? undefined : (gzippedBody ?? response.body)
  if (typeof sentBody === 'object') limitLargeResponseMemory(request, reply, sentBody, sentBody.length)
  reply.headers(response.headers).header('etag', response.etag)
  if (response.isCompressible) {
    const vary = reply.getHeader('vary')
    reply.header('vary', vary === undefined ? 'accept-encoding' : `${vary}, accept-encoding`)
  }
  // Disables WebKit's back/forward cache for the document. Otherwise WebKit would keep the document's IndexedDB transactions open after the user
  // has left it, and all later transactions of the site would wait (docs/browsers.md).
  if (response.headers['content-type']?.startsWith('text/html') && isWebKit(headers['user-agent']))
    reply.header('cache-control', 'no-store, no-transform')
  if (isCachedResponseCurrent) return reply.code(304).send()
  if (gzippedBody !== undefined) reply.header('content-encoding', 'gzip')
  else if (acceptsGzip) compressInBackground(response)
  return reply.code(response.status).send(sentBody)
}
