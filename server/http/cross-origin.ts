import type { FastifyCorsOptionsDelegate } from '@fastify/cors'
import { API_PREFIX } from './endpoint.ts'

/**
 * CORS options that allow API calls from the site's own hosts only, for a site whose `API_BASE_URL` is on another origin. Credentials are not
 * allowed: callers are authenticated by the `Authorization` header, never by cookies.
 */
export const corsForOwnOrigins =
  (isOwnOrigin: (origin: string) => boolean): FastifyCorsOptionsDelegate =>
  (request, callback) =>
    callback(null, {
      origin: request.url.startsWith(`${API_PREFIX}/`) && isOwnOrigin(request.headers.origin ?? ''),
      methods: ['GET', 'HEAD', 'POST'],
      allowedHeaders: ['Authorization', 'Content-Type'],
      exposedHeaders: ['Retry-After', 'X-Server-Time', 'X-Listeners'],
      maxAge: 86_400,
    })
