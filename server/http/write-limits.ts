import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { EndpointKey } from '../../contract/endpoints.ts'
import { ApiError } from '../../contract/errors.ts'
import { HOUR_MS } from '../durations.ts'
import { findNetwork } from './client-id.ts'

/** The limit of calls from all accounts in one network together, as a multiple of the limit of one account. */
const ACCOUNTS_PER_NETWORK = 5
/** The endpoints that change stored data although they are called with GET. */
const writingGetEndpoints: readonly EndpointKey[] = ['GET /account/disconnect_discord']

export const isWritingEndpoint = (key: EndpointKey): boolean => key.startsWith('POST ') || writingGetEndpoints.includes(key)

/**
 * Returns a hook that limits the calls of a writing endpoint to `maxPerHour` per account, or per network for callers without an account. Further
 * calls are answered with 429 and `Retry-After`.
 */
export function createWriteLimits(app: FastifyInstance, maxPerHour: number): (request: FastifyRequest) => Promise<void> {
  const createLimit = (maxPerHour: number, identifyCaller: (request: FastifyRequest) => string) =>
    app.createRateLimit({
      max: maxPerHour,
      timeWindow: HOUR_MS,
      keyGenerator: (request) => `${request.routeOptions.url} ${identifyCaller(request)}`,
    })
  const writeLimits = [
    createLimit(maxPerHour, (request) => request.user?.uid ?? findNetwork(request.ip)),
    createLimit(maxPerHour * ACCOUNTS_PER_NETWORK, (request) => findNetwork(request.ip)),
  ]
  return async (request) => {
    for (const writeLimit of writeLimits) {
      const calls = await writeLimit(request)
      if (!calls.isAllowed && calls.isExceeded)
        throw new ApiError('too-many', 'Too many requests. Please try again later.', calls.ttlInSeconds)
    }
  }
}
