import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { EndpointKey } from '../../contract/endpoints.ts'
import { HOUR_MS } from '../durations.ts'
import { type Log, maskEmail, redactText } from '../log.ts'
import { createEntryLimit } from '../lru-limit.ts'
import { createClientId } from './client-id.ts'

/** The number of events that are logged per hour for one client and account, so that nobody fills the log. */
export const EVENTS_MAX_PER_HOUR = 200
const EVENT_COUNTERS_MAX = 20_000
const REASON_MAX_LENGTH = 200

/** The HTTP statuses of requests that were refused because of their content or sender. 404 is not one of them. */
const REFUSAL_STATUSES: ReadonlySet<number> = new Set([400, 401, 403, 413, 415, 429])
export const isRefusalStatus = (status: number) => REFUSAL_STATUSES.has(status)

/** The endpoints for accounts whose successful calls are logged. Calls of the identity service are logged by that service's own routes. */
export const loggedEndpoints: ReadonlySet<EndpointKey> = new Set<EndpointKey>([
  'GET /account/export',
  'POST /account/delete',
  'POST /account/sign_out',
  'POST /account/end_login',
  'POST /account/end_logins',
  'POST /account/discord_link',
  'POST /account/confirm_email',
  'POST /account/disconnect_discord',
  'GET /account/disconnect_discord',
])

export interface SecurityEvent {
  /** The name of the attempted operation on an account or of a call of one of `loggedEndpoints`; `request` for any other call that was refused. */
  event: string
  outcome: 'done' | 'refused'
  reason?: string
  uid?: string | undefined
  /** The email address that the client entered, if the account is not known. Only a part of it is logged. */
  email?: string
}

/**
 * Logs a security event: the account, the client, the operation and the outcome. Beyond a limit per hour, further events of the same client
 * and account are left out. Failed log-ins count for no account, so that an attacker's failures never hide that the attacker got access to
 * an account.
 */
export type LogSecurityEvent = (request: FastifyRequest, event: SecurityEvent) => void

export function createSecurityLog(log: Log): LogSecurityEvent {
  const countByKey = new LRUCache<string, number>({ ...createEntryLimit(EVENT_COUNTERS_MAX), ttl: HOUR_MS })
  return (request, { event, outcome, reason, uid, email }) => {
    const clientKey = `${createClientId(request.ip)} ${uid ?? ''}`
    const eventCount = (countByKey.get(clientKey) ?? 0) + 1
    if (eventCount > EVENTS_MAX_PER_HOUR) return
    countByKey.set(clientKey, eventCount, { noUpdateTTL: true })
    log.info(
      {
        event,
        outcome,
        ...(reason && { reason: redactText(reason.slice(0, REASON_MAX_LENGTH)) }),
        ...(uid && { uid }),
        ...(email && { email: maskEmail(email) }),
        ...(eventCount === EVENTS_MAX_PER_HOUR && { last: true }),
        req: request,
      },
      'security event',
    )
  }
}
