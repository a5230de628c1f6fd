import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Answer, packLater } from './read-cache.ts'

const etagsOf = (header: string) => header.split(',').map((each) => each.trim().replace(/^W\//, ''))

/** Whether the client has this answer already (RFC 9110, 13.1.2: weak comparison). */
function isFresh(ifNoneMatch: string, etag: string): boolean {
  return ifNoneMatch.trim() === '*' || etagsOf(ifNoneMatch).includes(etag.replace(/^W\//, ''))
}

/** Sends a prepared answer: as 304 where the client has it, packed where it takes gzip. */
export function sendAnswer(request: FastifyRequest, reply: FastifyReply, answer: Answer): FastifyReply {
  const { headers } = request.raw
  const varies = reply.getHeader('vary')
  reply.headers(answer.headers)
  if (varies !== undefined && 'vary' in answer.headers) reply.header('vary', `${varies}, ${answer.headers.vary}`)
  const ifNoneMatch = headers['if-none-match']
  if (ifNoneMatch !== undefined && answer.status === 200 && isFresh(ifNoneMatch, answer.headers.etag ?? '')) return reply.code(304).send()
  reply.code(answer.status)
  const accepted = headers['accept-encoding']
  if (accepted !== undefined && 'vary' in answer.headers && /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:,|$))/.test(String(accepted))) {
    if (answer.packed !== undefined) return reply.header('content-encoding', 'gzip').send(answer.packed)
    packLater(answer)
  }
  return reply.send(answer.body)
}
