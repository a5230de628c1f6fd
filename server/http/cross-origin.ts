import type { FastifyCorsOptionsDelegate } from '@fastify/cors'
import { API_PREFIX } from './endpoint.ts'

/**
 * Lets the site's own pages call the API from the other hosts of the site, for where `API_BASE_URL` is one of them. Pages of others get
 * nothing, and nobody's cookies count: who calls is told by the `Authorization` header.
 */
export const ownPagesOnly =
  (isOwnOrigin: (origin: string) => boolean): FastifyCorsOptionsDelegate =>
  (request, done) =>
    done(null, {
      origin: request.url.startsWith(`${API_PREFIX}/`) && isOwnOrigin(request.headers.origin ?? ''),
      methods: ['GET', 'HEAD', 'POST'],
      allowedHeaders: ['Authorization', 'Content-Type'],
      exposedHeaders: ['Retry-After', 'X-Server-Time'],
      maxAge: 86_400,
    })
