import type { OutgoingHttpHeader } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { limitLargeResponseMemory } from './large-responses.ts'
import { type CachedResponse, compressInBackground } from './read-cache.ts'

const etagsOf = (header: string) => header.split(',').map((each) => each.trim().replace(/^W\//, ''))

/** Whether the client's copy is current (RFC 9110, 13.1.2: weak comparison). */
function isFresh(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  return ifNoneMatch.trim() === '*' || etagsOf(ifNoneMatch).includes(etag.replace(/^W\//, ''))
}

/** Whether the browser is built on WebKit. Chromium names WebKit in its user agent as well, but also itself. */
const isWebKit = (userAgent = '') => userAgent.includes('AppleWebKit/') && !/\bChrom(?:e|ium)\//.test(userAgent)

const acceptsGzip = (acceptEncoding: string | string[] | undefined) =>
  acceptEncoding !== undefined && /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:,|$))/.test(String(acceptEncoding))

/**
 * Sends a cached response: as 304 if the client's copy is current, gzipped if the client accepts it and the gzipped body exists. It is written to
 * Node's response, without the steps of `reply.send` that no cached response needs.
 */
export function sendCachedResponse(request: FastifyRequest, reply: FastifyReply, response: CachedResponse): FastifyReply {
  const { headers: requestHeaders } = request.raw
  const isCurrent = response.status === 200 && isFresh(requestHeaders['if-none-match'], response.headers.etag ?? '')
  if (!isCurrent) limitLargeResponseMemory(request, reply, response, response.body.length)
  const earlierHeaders: Record<string, OutgoingHttpHeader | undefined> = reply.getHeaders()
  const headers = { ...earlierHeaders, ...response.headers }
  if (earlierHeaders.vary !== undefined && 'vary' in response.headers) headers.vary = `${earlierHeaders.vary}, ${response.headers.vary}`
  // Disables WebKit's back/forward cache for the document. Otherwise WebKit would keep the document's IndexedDB transactions open after the user
  // has left it, and all later transactions of the site would wait (docs/browsers.md).
  if (response.headers['content-type']?.startsWith('text/html') && isWebKit(requestHeaders['user-agent']))
    headers['cache-control'] = 'no-store, no-transform'
  let body: Buffer | undefined
  if (!isCurrent) {
    body = response.body
    if ('vary' in response.headers && acceptsGzip(requestHeaders['accept-encoding'])) {
      if (response.gzippedBody === undefined) compressInBackground(response)
      else {
        headers['content-encoding'] = 'gzip'
        body = response.gzippedBody
      }
    }
    headers['content-length'] = body.length
  }
  reply.hijack()
  reply.raw.writeHead(isCurrent ? 304 : response.status, headers).end(body)
  return reply
}
