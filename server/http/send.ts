import type { FastifyReply, FastifyRequest } from 'fastify'
import { type CachedResponse, compressInBackground } from './read-cache.ts'

const etagsOf = (header: string) => header.split(',').map((each) => each.trim().replace(/^W\//, ''))

/** Whether the client's copy is current (RFC 9110, 13.1.2: weak comparison). */
function isFresh(ifNoneMatch: string, etag: string): boolean {
  return ifNoneMatch.trim() === '*' || etagsOf(ifNoneMatch).includes(etag.replace(/^W\//, ''))
}

/** Sends a cached response: as 304 if the client's copy is current, gzipped if the client accepts it and the gzipped body exists. */
export function sendCachedResponse(request: FastifyRequest, reply: FastifyReply, response: CachedResponse): FastifyReply {
  const { headers } = request.raw
  const vary = reply.getHeader('vary')
  reply.headers(response.headers)
  if (vary !== undefined && 'vary' in response.headers) reply.header('vary', `${vary}, ${response.headers.vary}`)
  const ifNoneMatch = headers['if-none-match']
  if (ifNoneMatch !== undefined && response.status === 200 && isFresh(ifNoneMatch, response.headers.etag ?? ''))
    return reply.code(304).send()
  reply.code(response.status)
  const acceptEncoding = headers['accept-encoding']
  if (acceptEncoding !== undefined && 'vary' in response.headers && /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:,|$))/.test(String(acceptEncoding))) {
    if (response.gzippedBody !== undefined) return reply.header('content-encoding', 'gzip').send(response.gzippedBody)
    compressInBackground(response)
  }
  return reply.send(response.body)
}
